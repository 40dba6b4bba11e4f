'use client';

import { useState } from 'react';
import * as z from 'zod/mini';
import { newPasswordSchema } from '#/auth/password-rule.ts';
import { postAuth, textField } from '#/auth/post-auth.ts';
import { Form, FormRefusal, SubmitButton } from '#/forms/form.tsx';
import { useForm } from '#/forms/use-form.ts';
import { CodeForm } from '../sign-in/_components/code-form.tsx';
import { InvalidLink, NewPassword, useLink } from '../sign-in/_components/link.tsx';
import { signInWithPassword } from '../sign-in/sign-in-calls.ts';

const HOME = '/overview';
const enter = () => window.location.assign(HOME);

const schema = z.object({ password: newPasswordSchema });

/** Sets a new password by a link, and signs in with it. */
export function ResetForm() {
  const link = useLink('password_reset');
  const [step, setStep] = useState<'password' | 'code'>('password');
  if (step === 'code') return <CodeForm onSignedIn={enter} onStartAgain={() => window.location.assign('/sign-in')} />;
  if (link.kind === 'loading')
    return <div className="h-[220px] rounded-xl bg-ground-quiet" role="status" aria-label="Checking the link" />;
  if (link.kind === 'invalid') return <InvalidLink title="This link is no longer valid" message={link.message} />;
  const email = textField(link.about, 'email') ?? '';
  return <NewPasswordForm token={link.token} email={email} onCodeNeeded={() => setStep('code')} />;
}

function NewPasswordForm({ token, email, onCodeNeeded }: { token: string; email: string; onCodeNeeded: () => void }) {
  const form = useForm({
    schema,
    values: { password: '' },
    async onSubmit({ password }) {
      const answer = await postAuth('/link/reset', { token, password });
      if (!answer.ok) return answer.message ?? 'This did not work. Try again.';
      const signedIn = await signInWithPassword(email, password);
      if (signedIn.kind === 'signed_in') enter();
      else if (signedIn.kind === 'code_needed') onCodeNeeded();
      else window.location.assign('/sign-in');
      return null;
    },
  });
  return (
    <Form form={form} className="grid gap-4" labelledBy="reset-title" warns={false}>
      <h1 id="reset-title" className="text-2xl leading-[1.25] tracking-[-0.015em]">
        Choose a new password
      </h1>
      <p className="text-ink-quiet text-sm">
        For {email}. It ends every session you have anywhere; your second step stays as it is.
      </p>
      <FormRefusal />
      <input type="hidden" name="username" autoComplete="username" value={email} readOnly />
      <NewPassword form={form} />
      <SubmitButton>Set the password</SubmitButton>
    </Form>
  );
}
