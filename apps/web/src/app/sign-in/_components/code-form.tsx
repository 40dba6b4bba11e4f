'use client';

import { type SubmitEvent, useState } from 'react';
import { Button } from '#/components/button/button.tsx';
import { TextField } from '#/components/field/field.tsx';
import { Refusal } from '#/components/page/refusal.tsx';
import classes from '../sign-in.module.css';
import { signInWithBackupCode, signInWithCode } from '../sign-in-calls.ts';

/** The second step: a code from the authenticator app, or a backup code when the phone is not available. */
export function CodeForm({ onSignedIn, onStartAgain }: { onSignedIn: () => void; onStartAgain: () => void }) {
  const [kind, setKind] = useState<'app' | 'backup'>('app');
  const [code, setCode] = useState('');
  const [refusal, setRefusal] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);

  async function submit(event: SubmitEvent<HTMLFormElement>) {
    event.preventDefault();
    if (busy) return;
    const given = kind === 'app' ? code.replace(/\D/g, '') : code.trim();
    if (given.length < 6) return setRefusal(kind === 'app' ? 'The code has six digits.' : 'Enter one of your backup codes.');
    setBusy(true);
    setRefusal(null);
    const step = await (kind === 'app' ? signInWithCode(given) : signInWithBackupCode(given));
    if (step.kind === 'signed_in') return onSignedIn();
    setBusy(false);
    setCode('');
    setRefusal(step.kind === 'refused' ? step.message : null);
  }

  function change(to: 'app' | 'backup') {
    setKind(to);
    setCode('');
    setRefusal(null);
  }

  return (
    <form className={classes.fields} method="post" noValidate onSubmit={submit} aria-labelledby="code-title">
      <h1 id="code-title" className={classes.title}>
        {kind === 'app' ? 'Enter your code' : 'Enter a backup code'}
      </h1>
      <p className={classes.lead}>
        {kind === 'app'
          ? 'Open your authenticator app and enter the six digits it shows for Switchyard.'
          : 'Each backup code works once.'}
      </p>
      <Refusal message={refusal} />
      <TextField
        key={kind}
        label={kind === 'app' ? 'Six-digit code' : 'Backup code'}
        name="code"
        inputMode={kind === 'app' ? 'numeric' : 'text'}
        autoComplete="one-time-code"
        autoFocus
        value={code}
        onChange={(event) => setCode(event.currentTarget.value)}
        spaced
      />
      <Button type="submit" variant="accent" loading={busy}>
        Continue
      </Button>
      <div className={classes.links}>
        <button type="button" className={classes.link} onClick={() => change(kind === 'app' ? 'backup' : 'app')}>
          {kind === 'app' ? 'Use a backup code' : 'Use the app'}
        </button>
        <button type="button" className={classes.link} onClick={onStartAgain}>
          Start again
        </button>
      </div>
    </form>
  );
}
