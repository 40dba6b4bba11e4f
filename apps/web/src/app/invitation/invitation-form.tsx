'use client';

import { staffName } from '@switchyard/api/entered-fields';
import * as z from 'zod/mini';
import { newPasswordSchema } from '#/auth/password-rule.ts';
import { postAuth } from '#/auth/post-auth.ts';
import { TextField } from '#/components/field/field.tsx';
import { nameOfRole, ROLE_LABELS, ROLES } from '#/copy/roles.ts';
import { Form, FormRefusal, SubmitButton } from '#/forms/form.tsx';
import { useForm } from '#/forms/use-form.ts';
import { InvalidLink, NewPassword, useLink } from '../sign-in/_components/link.tsx';
import { signInWithPassword } from '../sign-in/sign-in-calls.ts';

const aboutSchema = z.object({
  email: z.string(),
  name: z.string(),
  invitedBy: z.nullable(z.string()),
  roles: z.array(z.object({ merchant: z.nullable(z.string()), role: z.union([z.enum(ROLES), z.object({ name: z.string() })]) })),
  twoFactorRequired: z.boolean(),
});
type About = z.output<typeof aboutSchema>;

const schema = z.object({ name: staffName, password: newPasswordSchema });

/** Shows an invited person the invitation, and signs them up. */
export function InvitationForm() {
  const link = useLink('invitation');
  if (link.kind === 'loading')
    return <div className="h-[220px] rounded-xl bg-ground-quiet" role="status" aria-label="Checking the invitation" />;
  const about = link.kind === 'open' ? aboutSchema.safeParse(link.about) : null;
  if (link.kind === 'invalid' || !about?.success) {
    const message = link.kind === 'invalid' ? link.message : 'This link does not work. Ask for a new one.';
    return <InvalidLink title="This invitation is no longer valid" message={message} />;
  }
  return <Accept token={link.token} about={about.data} />;
}

function Accept({ token, about }: { token: string; about: About }) {
  const { email, invitedBy, roles, twoFactorRequired } = about;
  const form = useForm({
    schema,
    values: { name: about.name, password: '' },
    async onSubmit({ name, password }) {
      const answer = await postAuth('/link/accept', { token, password, name });
      if (!answer.ok) return answer.message ?? 'This did not work. Try again.';
      const signedIn = await signInWithPassword(email, password);
      window.location.assign(signedIn.kind === 'signed_in' ? '/overview' : '/sign-in');
      return null;
    },
  });
  return (
    <Form form={form} className="grid gap-4" labelledBy="invitation-title" warns={false}>
      <h1 id="invitation-title" className="text-2xl leading-[1.25] tracking-[-0.015em]">
        {invitedBy === null ? 'You are invited to Switchyard' : `${invitedBy} invites you to Switchyard`}
      </h1>
      <ul
        className="grid gap-1.5 py-3 px-3.5 border border-line rounded-xl bg-ground-quiet text-sm [&_li]:wrap-anywhere"
        aria-label="Your roles"
      >
        {roles.map(({ merchant, role }) => (
          <li key={`${merchant}${nameOfRole(role)}`}>
            <strong>{nameOfRole(role)}</strong> for {merchant ?? 'all merchants'}
            {typeof role === 'string' && `: ${ROLE_LABELS[role].may}`}
          </li>
        ))}
      </ul>
      <FormRefusal />
      <TextField label="E-mail address" name="email" type="email" autoComplete="username" value={email} readOnly />
      <form.Text name="name" label="Your name" autoComplete="name" maxLength={100} />
      <NewPassword form={form} />
      {twoFactorRequired && (
        <p className="text-ink-quiet text-sm">Next you set up two-factor sign-in: have an authenticator app ready.</p>
      )}
      <SubmitButton>Join</SubmitButton>
    </Form>
  );
}
