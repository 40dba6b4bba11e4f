'use client';

import { type SubmitEvent, useState } from 'react';
import { passwordProblem } from '#/auth/password-rule.ts';
import { postAuth, textField } from '#/auth/post-auth.ts';
import { Button } from '#/components/button/button.tsx';
import { Refusal } from '#/components/page/refusal.tsx';
import { CodeForm } from '../sign-in/_components/code-form.tsx';
import { InvalidLink } from '../sign-in/_components/invalid-link.tsx';
import { NewPassword } from '../sign-in/_components/new-password.tsx';
import classes from '../sign-in/sign-in.module.css';
import { signInWithPassword } from '../sign-in/sign-in-calls.ts';
import { useLink } from '../sign-in/use-link.ts';

const HOME = '/overview';
const enter = () => window.location.assign(HOME);

/** Sets a new password by a link, and signs in with it. */
export function ResetForm() {
  const link = useLink('password_reset');
  const [password, setPassword] = useState('');
  const [left, setLeft] = useState(false);
  const [refusal, setRefusal] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);
  const [step, setStep] = useState<'password' | 'code'>('password');

  if (step === 'code') return <CodeForm onSignedIn={enter} onStartAgain={() => window.location.assign('/sign-in')} />;
  if (link.kind === 'loading') return <div className={classes.waiting} role="status" aria-label="Checking the link" />;
  if (link.kind === 'invalid') return <InvalidLink title="This link is no longer valid" message={link.message} />;
  const { token, about } = link;
  const email = textField(about, 'email') ?? '';

  async function submit(event: SubmitEvent<HTMLFormElement>) {
    event.preventDefault();
    setLeft(true);
    if (busy || passwordProblem(password) !== null) return;
    setBusy(true);
    setRefusal(null);
    const answer = await postAuth('/link/reset', { token, password });
    if (!answer.ok) {
      setBusy(false);
      return setRefusal(answer.message ?? 'This did not work. Try again.');
    }
    const signedIn = await signInWithPassword(email, password);
    if (signedIn.kind === 'signed_in') return enter();
    setBusy(false);
    if (signedIn.kind === 'code_needed') return setStep('code');
    window.location.assign('/sign-in');
  }

  return (
    <form className={classes.fields} method="post" noValidate onSubmit={submit} aria-labelledby="reset-title">
      <h1 id="reset-title" className={classes.title}>
        Choose a new password
      </h1>
      <p className={classes.lead}>For {email}. It ends every session you have anywhere; your second step stays as it is.</p>
      <Refusal message={refusal} />
      <input type="hidden" name="username" autoComplete="username" value={email} readOnly />
      <NewPassword value={password} left={left} onChange={setPassword} onLeave={() => setLeft(password !== '')} />
      <Button type="submit" variant="accent" loading={busy}>
        Set the password
      </Button>
    </form>
  );
}
