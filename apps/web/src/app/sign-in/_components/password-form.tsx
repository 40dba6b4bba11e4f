'use client';

import Link from 'next/link';
import { type SubmitEvent, useState } from 'react';
import { SecretField } from '#/auth/secret-field.tsx';
import { Button } from '#/components/button/button.tsx';
import { TextField } from '#/components/field/field.tsx';
import { Refusal } from '#/components/page/refusal.tsx';
import classes from '../sign-in.module.css';
import { signInWithPassword } from '../sign-in-calls.ts';
import { useEarlyInput } from '../use-early-input.ts';

/** The first step. A problem is shown beside its field on blur. */
export function PasswordForm({ onSignedIn, onCodeNeeded }: { onSignedIn: () => void; onCodeNeeded: () => void }) {
  const form = useEarlyInput();
  const [email, setEmail] = useState('');
  const [password, setPassword] = useState('');
  const [left, setLeft] = useState({ email: false, password: false });
  const [refusal, setRefusal] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);
  const emailProblem =
    email.trim() === '' ? 'enter your e-mail address' : /^\S+@\S+$/.test(email.trim()) ? null : 'this is not an e-mail address';
  const passwordProblem = password === '' ? 'enter your password' : null;

  async function submit(event: SubmitEvent<HTMLFormElement>) {
    event.preventDefault();
    setLeft({ email: true, password: true });
    if (busy || emailProblem !== null || passwordProblem !== null) return;
    setBusy(true);
    setRefusal(null);
    const step = await signInWithPassword(email.trim(), password);
    if (step.kind === 'signed_in') return onSignedIn();
    setBusy(false);
    if (step.kind === 'code_needed') return onCodeNeeded();
    setRefusal(step.message);
  }

  return (
    <form ref={form} className={classes.fields} method="post" noValidate onSubmit={submit} aria-labelledby="sign-in-title">
      <h1 id="sign-in-title" className={classes.title}>
        Sign in
      </h1>
      <Refusal message={refusal} />
      <TextField
        label="E-mail address"
        name="email"
        type="email"
        autoComplete="username"
        autoFocus
        value={email}
        onChange={(event) => setEmail(event.currentTarget.value)}
        onBlur={() => setLeft((before) => ({ ...before, email: email !== '' }))}
        error={left.email ? emailProblem : null}
      />
      <SecretField
        label="Password"
        name="password"
        autoComplete="current-password"
        value={password}
        onChange={(event) => setPassword(event.currentTarget.value)}
        error={left.password ? passwordProblem : null}
      />
      <Button type="submit" variant="accent" loading={busy}>
        Sign in
      </Button>
      <div className={classes.links}>
        <Link className={classes.link} href="/sign-in/forgot">
          Forgot your password?
        </Link>
      </div>
    </form>
  );
}
