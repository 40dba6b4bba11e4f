import type { Metadata } from 'next';
import { redirect } from 'next/navigation';
import { processSwitchyard } from '#/server/native/process.ts';
import { currentSession } from '#/server/session.ts';
import { SignIn } from './_components/sign-in.tsx';
import { SignInFrame } from './_components/sign-in-frame.tsx';
import { pathAfterSignIn } from './path-after-sign-in.ts';
import { describeProviderRefusal } from './provider-refusals.ts';

export const metadata: Metadata = { title: 'Sign in' };

export default async function SignInPage({
  searchParams,
}: {
  searchParams: Promise<{ next?: string | string[]; error?: string | string[] }>;
}) {
  const { next: asked, error } = await searchParams;
  const next = pathAfterSignIn(asked);
  if ((await currentSession()) !== null) redirect(next);
  return (
    <SignInFrame>
      <SignIn
        next={next}
        providers={await processSwitchyard().signIn().listProviders()}
        refusal={typeof error === 'string' ? describeProviderRefusal(error) : null}
      />
    </SignInFrame>
  );
}
