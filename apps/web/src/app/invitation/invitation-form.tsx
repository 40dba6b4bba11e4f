'use client';

import { type SubmitEvent, useState } from 'react';
import { z } from 'zod';
import { passwordProblem } from '#/auth/password-rule.ts';
import { postAuth } from '#/auth/post-auth.ts';
import { Button } from '#/components/button/button.tsx';
import { TextField } from '#/components/field/field.tsx';
import { Refusal } from '#/components/page/refusal.tsx';
import { ROLE_LABELS } from '#/copy/roles.ts';
import { InvalidLink } from '../sign-in/_components/invalid-link.tsx';
import { NewPassword } from '../sign-in/_components/new-password.tsx';
import classes from '../sign-in/sign-in.module.css';
import { signInWithPassword } from '../sign-in/sign-in-calls.ts';
import { useLink } from '../sign-in/use-link.ts';

const aboutSchema = z.object({
  email: z.string(),
  name: z.string(),
  invitedBy: z.string().nullable(),
  roles: z.array(z.object({ merchant: z.string().nullable(), role: z.enum(['owner', 'operator', 'finance', 'viewer']) })),
  twoFactorRequired: z.boolean(),
});
type About = z.output<typeof aboutSchema>;

/** Shows an invited person the invitation, and signs them up. */
export function InvitationForm() {
  const link = useLink('invitation');
  if (link.kind === 'loading') return <div className={classes.waiting} role="status" aria-label="Checking the invitation" />;
  const about = link.kind === 'open' ? aboutSchema.safeParse(link.about) : null;
  if (link.kind === 'invalid' || !about?.success) {
    const message = link.kind === 'invalid' ? link.message : 'This link does not work. Ask for a new one.';
    return <InvalidLink title="This invitation is no longer valid" message={message} />;
  }
  return <Accept token={link.token} about={about.data} />;
}

function Accept({ token, about }: { token: string; about: About }) {
  const { email, invitedBy, roles, twoFactorRequired } = about;
  const [name, setName] = useState(about.name);
  const [password, setPassword] = useState('');
  const [left, setLeft] = useState({ name: false, password: false });
  const [refusal, setRefusal] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);
  const nameProblem = name.trim() === '' ? 'must not be empty' : null;

  async function submit(event: SubmitEvent<HTMLFormElement>) {
    event.preventDefault();
    setLeft({ name: true, password: true });
    if (busy || nameProblem !== null || passwordProblem(password) !== null) return;
    setBusy(true);
    setRefusal(null);
    const answer = await postAuth('/link/accept', { token, password, name: name.trim() });
    if (!answer.ok) {
      setBusy(false);
      return setRefusal(answer.message ?? 'This did not work. Try again.');
    }
    const signedIn = await signInWithPassword(email, password);
    window.location.assign(signedIn.kind === 'signed_in' ? '/overview' : '/sign-in');
  }

  return (
    <form className={classes.fields} method="post" noValidate onSubmit={submit} aria-labelledby="invitation-title">
      <h1 id="invitation-title" className={classes.title}>
        {invitedBy === null ? 'You are invited to Switchyard' : `${invitedBy} invites you to Switchyard`}
      </h1>
      <ul className={classes.facts} aria-label="Your roles">
        {roles.map(({ merchant, role }) => (
          <li key={`${merchant}${role}`}>
            <strong>{ROLE_LABELS[role].name}</strong> for {merchant ?? 'all merchants'}: {ROLE_LABELS[role].may}
          </li>
        ))}
      </ul>
      <Refusal message={refusal} />
      <TextField label="E-mail address" name="email" type="email" autoComplete="username" value={email} readOnly />
      <TextField
        label="Your name"
        name="name"
        autoComplete="name"
        maxLength={100}
        value={name}
        onChange={(event) => setName(event.currentTarget.value)}
        onBlur={() => setLeft((before) => ({ ...before, name: true }))}
        error={left.name ? nameProblem : null}
      />
      <NewPassword
        value={password}
        left={left.password}
        onChange={setPassword}
        onLeave={() => setLeft((before) => ({ ...before, password: password !== '' }))}
      />
      {twoFactorRequired && <p className={classes.lead}>Next you set up two-factor sign-in: have an authenticator app ready.</p>}
      <Button type="submit" variant="accent" loading={busy}>
        Join
      </Button>
    </form>
  );
}
