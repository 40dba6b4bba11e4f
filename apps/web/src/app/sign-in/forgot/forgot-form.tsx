'use client';

import Link from 'next/link';
import { useState } from 'react';
import * as z from 'zod/mini';
import { postAuth } from '#/auth/post-auth.ts';
import { Form, FormRefusal, SubmitButton } from '#/forms/form.tsx';
import { useForm } from '#/forms/use-form.ts';
import { emailSchema } from '../email.ts';
import { useEarlyInput } from '../use-early-input.ts';

const schema = z.object({ email: emailSchema });

/** Requests a link to set a new password. The answer does not reveal whether the address is known. */
export function ForgotForm() {
  const [asked, setAsked] = useState<{ email: string; byEmail: boolean } | null>(null);
  const element = useEarlyInput();
  const form = useForm({
    schema,
    values: { email: '' },
    async onSubmit({ email }) {
      const answer = await postAuth('/link/request-reset', { email });
      if (!answer.ok) return answer.message ?? 'This did not work. Try again.';
      const { body } = answer;
      const byEmail = typeof body === 'object' && body !== null && 'byEmail' in body && body.byEmail === true;
      setAsked({ email, byEmail });
      return null;
    },
  });

  if (asked !== null) {
    return (
      <div className="grid gap-4" role="status">
        <h1 className="text-2xl leading-[1.25] tracking-[-0.015em]">
          {asked.byEmail ? 'Check your e-mail' : 'Ask an owner for a link'}
        </h1>
        <p className="text-ink-quiet text-sm">
          {asked.byEmail
            ? `If a team member has the address ${asked.email}, a link is on its way. It works once, for one hour.`
            : 'This installation sends no e-mail, so no link was sent. An owner of the workspace can make one for you: under Team, by your name, “Create reset link”. It works once, for one hour.'}
        </p>
        <div className="flex justify-between">
          <Link className="py-1 text-accent-ink text-sm no-underline hover:underline" href="/sign-in">
            Back to sign-in
          </Link>
        </div>
      </div>
    );
  }
  return (
    <Form form={form} ref={element} className="grid gap-4" labelledBy="forgot-title" warns={false}>
      <h1 id="forgot-title" className="text-2xl leading-[1.25] tracking-[-0.015em]">
        Forgot your password?
      </h1>
      <p className="text-ink-quiet text-sm">Enter the address you sign in with. You will get a link to choose a new password.</p>
      <FormRefusal />
      <form.Text name="email" label="E-mail address" type="email" autoComplete="username" />
      <SubmitButton>Ask for a link</SubmitButton>
      <div className="flex justify-between">
        <Link className="py-1 text-accent-ink text-sm no-underline hover:underline" href="/sign-in">
          Back to sign-in
        </Link>
      </div>
    </Form>
  );
}
