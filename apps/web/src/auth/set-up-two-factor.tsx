'use client';

import dynamic from 'next/dynamic';
import { useState } from 'react';
import * as z from 'zod/mini';
import { Button } from '../components/button/button.tsx';
import { Copyable, CopyButton } from '../components/copyable/copyable.tsx';
import { Form, FormRefusal, SubmitButton } from '../forms/form.tsx';
import { useForm } from '../forms/use-form.ts';
import { passwordSchema } from './password-rule.ts';
import { postAuth, textField } from './post-auth.ts';

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
  const form = useForm({
    schema: passwordSchema,
    values: { password: '' },
    async onSubmit(entered) {
      const answer = await postAuth('/two-factor/enable', entered);
      if (!answer.ok) {
        const taken = answer.code === 'TOTP_ALREADY_ENABLED' ? 'Two-factor sign-in is on already. Load the page again.' : null;
        return answer.message ?? taken ?? 'This is not your password.';
      }
      const uri = textField(answer.body, 'totpURI');
      if (uri === null) return 'Something went wrong on our side. Try again in a moment.';
      onBegun(uri, backupCodesIn(answer.body));
      return null;
    },
  });
  return (
    <Form form={form} className="grid gap-3.5 content-start min-w-0 text-sm" warns={false}>
      <p className="text-ink-quiet leading-[1.5]">
        Besides your password, signing in then asks for a six-digit code from an app on your phone, such as Google Authenticator,
        1Password or Aegis. Your password alone is then not enough to sign in.
      </p>
      <FormRefusal />
      <form.Secret name="password" label="Your password" autoComplete="current-password" />
      <div>
        <SubmitButton>Continue</SubmitButton>
      </div>
    </Form>
  );
}

const codeSchema = z.object({
  code: z.pipe(
    z.string(),
    z.transform((text) => text.replace(/\D/g, '')),
  ),
});

function Scan({ uri, onConfirmed }: { uri: string; onConfirmed: () => void }) {
  const secret = new URL(uri).searchParams.get('secret') ?? '';
  const form = useForm({
    schema: codeSchema,
    values: { code: '' },
    async onSubmit({ code }) {
      if (code.length !== 6) return 'The code has six digits.';
      const answer = await postAuth('/two-factor/verify-totp', { code });
      if (answer.ok) {
        onConfirmed();
        return null;
      }
      form.discard();
      return answer.message ?? 'This code is wrong. Check that your phone shows the right time, and enter the next one.';
    },
  });
  return (
    <Form form={form} className="grid gap-3.5 content-start min-w-0 text-sm" warns={false}>
      <div className="grid gap-5 min-[520px]:grid-cols-[184px_minmax(0,1fr)]">
        <QrCode text={uri} label="QR code for your authenticator app" />
        <div className="grid gap-3.5 content-start min-w-0 text-sm">
          <p className="text-ink-quiet leading-[1.5]">
            Scan this with your authenticator app. If it cannot scan, enter this key in it instead:
          </p>
          <Copyable text={secret.replace(/(.{4})(?=.)/g, '$1 ')} label="the key" whole />
          <FormRefusal />
          <form.Text name="code" label="The six digits the app shows" inputMode="numeric" autoComplete="one-time-code" />
          <div>
            <SubmitButton>Turn on</SubmitButton>
          </div>
        </div>
      </div>
    </Form>
  );
}

/** The backup codes in an answer. */
export function backupCodesIn(body: unknown): string[] {
  if (typeof body !== 'object' || body === null || !('backupCodes' in body) || !Array.isArray(body.backupCodes)) return [];
  return body.backupCodes.filter((code): code is string => typeof code === 'string');
}

/** Backup codes, shown once. The user proceeds by confirming that they are saved. */
export function BackupCodes({ codes, onDone }: { codes: readonly string[]; onDone: () => void }) {
  const [kept, setKept] = useState(false);
  const text = codes.join('\n');
  const file = `data:text/plain;charset=utf-8,${encodeURIComponent(`Backup codes for Switchyard. Each works once.\n\n${text}\n`)}`;
  return (
    <div className="grid gap-3.5 content-start min-w-0 text-sm">
      <p className="text-ink-quiet leading-[1.5]">
        Each of these codes signs you in once when you do not have your phone. They are shown only now: store them with your
        passwords.
      </p>
      <ul
        className="grid grid-cols-[repeat(auto-fill,minmax(128px,1fr))] gap-y-1.5 gap-x-4 py-3.5 px-4 border border-line rounded-xl bg-ground-quiet font-mono text-sm"
        aria-label="Backup codes"
      >
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ul>
      <div className="flex flex-wrap gap-x-4 gap-y-2 items-center">
        <CopyButton text={text} label="the backup codes" />
        <a className="text-sm" href={file} download="switchyard-backup-codes.txt">
          Save as a file
        </a>
      </div>
      <label className="flex gap-2 items-center min-h-6 cursor-pointer [&_input]:w-4 [&_input]:h-4 [&_input]:m-0 [&_input]:accent-accent">
        <input type="checkbox" checked={kept} onChange={(event) => setKept(event.currentTarget.checked)} />I have saved these
        codes
      </label>
      <div>
        <Button variant="accent" disabled={!kept} onClick={onDone}>
          Done
        </Button>
      </div>
    </div>
  );
}
