'use client';

import dynamic from 'next/dynamic';
import { type SubmitEvent, useState } from 'react';
import { Button } from '../components/button/button.tsx';
import { Copyable } from '../components/copyable/copyable.tsx';
import { TextField } from '../components/field/field.tsx';
import { Refusal } from '../components/page/refusal.tsx';
import { BackupCodes } from './backup-codes.tsx';
import { postAuth, textField } from './post-auth.ts';
import { SecretField } from './secret-field.tsx';
import classes from './set-up-two-factor.module.css';

const QrCode = dynamic(() => import('./qr-code.tsx').then((module) => module.QrCode));

type Step =
  | { readonly kind: 'password' }
  | { readonly kind: 'scan'; readonly uri: string; readonly codes: readonly string[] }
  | { readonly kind: 'codes'; readonly codes: readonly string[] };

/** Sets up a second step: one's password, the app, a code from it, and the codes for when the phone is lost. */
export function SetUpTwoFactor({ onDone }: { onDone: () => void }) {
  const [step, setStep] = useState<Step>({ kind: 'password' });
  switch (step.kind) {
    case 'password':
      return <PasswordStep onBegun={(uri, codes) => setStep({ kind: 'scan', uri, codes })} />;
    case 'scan':
      return <Scan uri={step.uri} onConfirmed={() => setStep({ kind: 'codes', codes: step.codes })} />;
    case 'codes':
      return <BackupCodes codes={step.codes} onDone={onDone} />;
    default:
      return step satisfies never;
  }
}

function PasswordStep({ onBegun }: { onBegun: (uri: string, codes: readonly string[]) => void }) {
  const [password, setPassword] = useState('');
  const [refusal, setRefusal] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);
  async function submit(event: SubmitEvent<HTMLFormElement>) {
    event.preventDefault();
    if (busy || password === '') return;
    setBusy(true);
    setRefusal(null);
    const answer = await postAuth('/two-factor/enable', { password });
    setBusy(false);
    if (!answer.ok) {
      const taken = answer.code === 'TOTP_ALREADY_ENABLED' ? 'Two-factor sign-in is on already. Load the page again.' : null;
      return setRefusal(answer.message ?? taken ?? 'This is not your password.');
    }
    const uri = textField(answer.body, 'totpURI');
    if (uri === null) return setRefusal('Something went wrong on our side. Try again in a moment.');
    onBegun(uri, backupCodesIn(answer.body));
  }
  return (
    <form className={classes.step} method="post" noValidate onSubmit={submit}>
      <p className={classes.lead}>
        Besides your password, signing in then asks for a six-digit code from an app on your phone, such as Google Authenticator,
        1Password or Aegis. Your password alone is then not enough to sign in.
      </p>
      <Refusal message={refusal} />
      <SecretField
        label="Your password"
        autoComplete="current-password"
        value={password}
        onChange={(event) => setPassword(event.currentTarget.value)}
      />
      <div>
        <Button type="submit" variant="accent" loading={busy}>
          Continue
        </Button>
      </div>
    </form>
  );
}

function Scan({ uri, onConfirmed }: { uri: string; onConfirmed: () => void }) {
  const [code, setCode] = useState('');
  const [refusal, setRefusal] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);
  const secret = new URL(uri).searchParams.get('secret') ?? '';
  async function submit(event: SubmitEvent<HTMLFormElement>) {
    event.preventDefault();
    const digits = code.replace(/\D/g, '');
    if (busy) return;
    if (digits.length !== 6) return setRefusal('The code has six digits.');
    setBusy(true);
    setRefusal(null);
    const answer = await postAuth('/two-factor/verify-totp', { code: digits });
    setBusy(false);
    if (answer.ok) return onConfirmed();
    setCode('');
    setRefusal(answer.message ?? 'This code is wrong. Check that your phone shows the right time, and enter the next one.');
  }
  return (
    <form className={classes.step} method="post" noValidate onSubmit={submit}>
      <div className={classes.scan}>
        <QrCode text={uri} label="QR code for your authenticator app" />
        <div className={classes.step}>
          <p className={classes.lead}>Scan this with your authenticator app. If it cannot scan, enter this key in it instead:</p>
          <Copyable text={secret.replace(/(.{4})(?=.)/g, '$1 ')} label="the key" whole />
          <Refusal message={refusal} />
          <TextField
            label="The six digits the app shows"
            name="code"
            inputMode="numeric"
            autoComplete="one-time-code"
            value={code}
            onChange={(event) => setCode(event.currentTarget.value)}
          />
          <div>
            <Button type="submit" variant="accent" loading={busy}>
              Turn on
            </Button>
          </div>
        </div>
      </div>
    </form>
  );
}

/** The backup codes in an answer. */
export function backupCodesIn(body: unknown): string[] {
  if (typeof body !== 'object' || body === null || !('backupCodes' in body) || !Array.isArray(body.backupCodes)) return [];
  return body.backupCodes.filter((code): code is string => typeof code === 'string');
}
