'use client';

import Link from 'next/link';
import { useState } from 'react';
import * as z from 'zod/mini';
import { postAuth } from '#/auth/post-auth.ts';
import { Button } from '#/components/button/button.tsx';
import { Form, FormRefusal, SubmitButton } from '#/forms/form.tsx';
import { useForm } from '#/forms/use-form.ts';
import { emailSchema } from '../email.ts';
import { signInWithPassword } from '../sign-in-calls.ts';
import { useEarlyInput } from '../use-early-input.ts';
import { CodeForm } from './code-form.tsx';

/** Signing in, in one step or two. */
export function SignIn({ next, providers, refusal }: SignInProps) {
  const [step, setStep] = useState<'password' | 'code'>('password');
  // A full page load drops the data of the user who was signed in before.
  const enter = () => window.location.assign(next);
  if (step === 'code') return <CodeForm onSignedIn={enter} onStartAgain={() => setStep('password')} />;
  return (
    <>
      <PasswordForm onSignedIn={enter} onCodeNeeded={() => setStep('code')} />
      {(providers.length > 0 || refusal !== null) && <ProviderButtons next={next} providers={providers} refusal={refusal} />}
    </>
  );
}

const schema = z.object({ email: emailSchema, password: z.string().check(z.minLength(1, 'enter your password')) });

/** The first step. A problem is shown beside its field on blur. */
export function PasswordForm({ onSignedIn, onCodeNeeded }: { onSignedIn: () => void; onCodeNeeded: () => void }) {
  const form = useForm({
    schema,
    values: { email: '', password: '' },
    async onSubmit({ email, password }) {
      const step = await signInWithPassword(email, password);
      switch (step.kind) {
        case 'signed_in':
          onSignedIn();
          return null;
        case 'code_needed':
          onCodeNeeded();
          return null;
        case 'refused':
          return step.message;
        default:
          return step satisfies never;
      }
    },
  });
  return (
    <Form form={form} ref={useEarlyInput()} className="grid gap-4" labelledBy="sign-in-title" warns={false}>
      <h1 id="sign-in-title" className="text-2xl leading-[1.25] tracking-[-0.015em]">
        Sign in
      </h1>
      <FormRefusal />
      <form.Text name="email" label="E-mail address" type="email" autoComplete="username" autoFocus />
      <form.Secret name="password" label="Password" autoComplete="current-password" />
      <SubmitButton>Sign in</SubmitButton>
      <div className="flex justify-between">
        <Link className="py-1 text-accent-ink text-sm no-underline hover:underline" href="/sign-in/forgot">
          Forgot your password?
        </Link>
      </div>
    </Form>
  );
}

interface SignInProvider {
  readonly providerId: string;
  readonly name: string;
}

interface SignInProps {
  /** The page after it. */
  readonly next: string;
  /** Other ways to sign in. */
  readonly providers: readonly SignInProvider[];
  /** The reason why a provider's sign-in was refused; null for none. */
  readonly refusal: string | null;
}

/** Ways to sign in by a provider, and why the last try was refused. */
export function ProviderButtons({ next, providers, refusal }: SignInProps) {
  const [failure, setFailure] = useState(refusal);
  const [begun, setBegun] = useState<string | null>(null);
  async function begin(providerId: string) {
    setFailure(null);
    setBegun(providerId);
    const answer = await postAuth('/sign-in/sso', { providerId, next });
    const url = answer.ok ? addressIn(answer.body) : null;
    if (url !== null) {
      window.location.assign(url);
      return;
    }
    setBegun(null);
    setFailure((answer.ok ? null : answer.message) ?? 'The provider cannot be reached. Try again.');
  }
  return (
    <div className="grid gap-3">
      {failure !== null && (
        <p role="alert" className="text-bad text-sm">
          {failure}
        </p>
      )}
      {providers.map(({ providerId, name }) => (
        <Button key={providerId} loading={begun === providerId} onClick={() => void begin(providerId)}>
          Sign in with {name}
        </Button>
      ))}
    </div>
  );
}

function addressIn(body: unknown): string | null {
  return typeof body === 'object' && body !== null && 'url' in body && typeof body.url === 'string' ? body.url : null;
}
