'use client';

import Link from 'next/link';
import { type SubmitEvent, useState } from 'react';
import { postAuth } from '#/auth/post-auth.ts';
import { Button } from '#/components/button/button.tsx';
import { TextField } from '#/components/field/field.tsx';
import { Refusal } from '#/components/page/refusal.tsx';
import classes from '../sign-in.module.css';
import { useEarlyInput } from '../use-early-input.ts';

/** Requests a link to set a new password. The answer does not reveal whether the address is known. */
export function ForgotForm() {
  const form = useEarlyInput();
  const [email, setEmail] = useState('');
  const [left, setLeft] = useState(false);
  const [refusal, setRefusal] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);
  const [asked, setAsked] = useState<{ byEmail: boolean } | null>(null);
  const problem = /^\S+@\S+$/.test(email.trim()) ? null : 'enter your e-mail address';

  async function submit(event: SubmitEvent<HTMLFormElement>) {
    event.preventDefault();
    setLeft(true);
    if (busy || problem !== null) return;
    setBusy(true);
    setRefusal(null);
    const answer = await postAuth('/link/request-reset', { email: email.trim() });
    setBusy(false);
    if (!answer.ok) return setRefusal(answer.message ?? 'This did not work. Try again.');
    const { body } = answer;
    setAsked({ byEmail: typeof body === 'object' && body !== null && 'byEmail' in body && body.byEmail === true });
  }

  if (asked !== null) {
    return (
      <div className={classes.fields} role="status">
        <h1 className={classes.title}>{asked.byEmail ? 'Check your e-mail' : 'Ask an owner for a link'}</h1>
        <p className={classes.lead}>
          {asked.byEmail
            ? `If a team member has the address ${email.trim()}, a link is on its way. It works once, for one hour.`
            : 'This installation sends no e-mail, so no link was sent. An owner of the workspace can make one for you: under Team, by your name, “Create reset link”. It works once, for one hour.'}
        </p>
        <div className={classes.links}>
          <Link className={classes.link} href="/sign-in">
            Back to sign-in
          </Link>
        </div>
      </div>
    );
  }
  return (
    <form ref={form} className={classes.fields} method="post" noValidate onSubmit={submit} aria-labelledby="forgot-title">
      <h1 id="forgot-title" className={classes.title}>
        Forgot your password?
      </h1>
      <p className={classes.lead}>Enter the address you sign in with. You will get a link to choose a new password.</p>
      <Refusal message={refusal} />
      <TextField
        label="E-mail address"
        name="email"
        type="email"
        autoComplete="username"
        value={email}
        onChange={(event) => setEmail(event.currentTarget.value)}
        onBlur={() => setLeft(email !== '')}
        error={left ? problem : null}
      />
      <Button type="submit" variant="accent" loading={busy}>
        Ask for a link
      </Button>
      <div className={classes.links}>
        <Link className={classes.link} href="/sign-in">
          Back to sign-in
        </Link>
      </div>
    </form>
  );
}
