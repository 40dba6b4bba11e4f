'use client';

import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useEffectEvent, useState } from 'react';
import * as z from 'zod/mini';
import { leaveToSignIn, resumeSession } from '#/auth/ended-session.ts';
import { Dialog } from '#/components/dialog/dialog.tsx';
import { Refusal } from '#/components/page/refusal.tsx';
import { failureText } from '#/forms/failure-text.ts';
import { Form, FormRefusal, SubmitButton } from '#/forms/form.tsx';
import { useForm } from '#/forms/use-form.ts';
import { useTRPC, useTRPCClient } from '#/trpc/client.tsx';
import { ASKS_FOR_SESSION } from '#/trpc/hold-while-signed-out.ts';
import { signInWithPassword } from '../sign-in-calls.ts';
import { CodeForm } from './code-form.tsx';

const schema = z.object({ email: z.string(), password: z.string().check(z.minLength(1, 'enter your password')) });

/**
 * Signing in again in place, over a page that it covers: what was entered there stays, and the calls that wait go on. Only as the
 * same person: what another one entered is not sent in their name. A sign-in in another tab counts once this one is looked at again.
 */
export function SignInAgain() {
  const { email, goOn } = useSamePerson();
  const [refusal, setRefusal] = useState<string | null>(null);
  const signedIn = () => goOn().then(setRefusal, (error) => setRefusal(failureText(error)));
  useLookAgain(signedIn);
  const [step, setStep] = useState<'password' | 'code'>('password');
  const form = useForm({
    schema,
    values: { email, password: '' },
    async onSubmit({ password }) {
      const answer = await signInWithPassword(email, password);
      switch (answer.kind) {
        case 'signed_in':
          await signedIn();
          return null;
        case 'code_needed':
          setStep('code');
          return null;
        case 'refused':
          return answer.message;
        default:
          return answer satisfies never;
      }
    },
  });
  return (
    <Dialog title="Your session has ended" locked covers onClose={() => undefined}>
      <p className="text-ink-quiet">Sign in again to go on. What you entered is kept, and what you were saving is saved then.</p>
      {refusal !== null && <Refusal message={refusal} />}
      {step === 'code' ? (
        <CodeForm onSignedIn={() => void signedIn()} onStartAgain={() => setStep('password')} />
      ) : (
        <Form form={form} className="grid gap-4" label="Sign in again" warns={false}>
          <FormRefusal small />
          <form.Text name="email" label="E-mail address" type="email" autoComplete="username" readOnly />
          <form.Secret name="password" label="Password" autoComplete="current-password" autoFocus />
          <SubmitButton>Sign in and go on</SubmitButton>
        </Form>
      )}
      <div className="flex flex-wrap justify-between gap-x-4">
        <a className="py-1 text-accent-ink text-sm no-underline hover:underline" href="/sign-in" target="_blank" rel="noreferrer">
          Sign in in another tab
        </a>
        <button type="button" className="py-1 text-accent-ink text-sm no-underline hover:underline" onClick={leaveToSignIn}>
          Leave this page
        </button>
      </div>
    </Dialog>
  );
}

/** The person whose page it is, and how it goes on once that person has signed in. */
function useSamePerson() {
  const trpc = useTRPC();
  const client = useTRPCClient();
  const queries = useQueryClient();
  const [known] = useState(() => queries.getQueryData(trpc.me.queryKey()));

  /** Lets what waits go on; why it cannot. */
  async function goOn(): Promise<string | null> {
    const me = await client.me.query(undefined, { context: ASKS_FOR_SESSION });
    if (me.staffId !== known?.staffId) {
      return `${me.email} is signed in now. What ${known?.email ?? 'another person'} entered here cannot be sent in their name.`;
    }
    resumeSession();
    await queries.invalidateQueries();
    return null;
  }

  return { email: known?.email ?? '', goOn };
}

/** Looks whether the person has signed in elsewhere, each time the page is looked at again. */
function useLookAgain(look: () => void): void {
  const lookAgain = useEffectEvent(look);
  useEffect(() => {
    const changed = () => document.visibilityState === 'visible' && lookAgain();
    document.addEventListener('visibilitychange', changed);
    return () => document.removeEventListener('visibilitychange', changed);
  }, []);
}
