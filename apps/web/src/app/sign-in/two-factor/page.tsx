import type { Metadata } from 'next';
import { redirect } from 'next/navigation';
import { currentSession } from '#/server/session.ts';
import { SignInFrame } from '../_components/sign-in-frame.tsx';
import { pathAfterSignIn } from '../path-after-sign-in.ts';
import { ProviderSecondStep, RequiredTwoFactor } from './required-two-factor.tsx';

export const metadata: Metadata = { title: 'Set up two-factor sign-in' };

/** The page for staff who must set up a second factor before they can proceed. */
export default async function TwoFactorPage({ searchParams }: { searchParams: Promise<{ next?: string | string[] }> }) {
  const next = pathAfterSignIn((await searchParams).next);
  const session = await currentSession();
  if (session === null) redirect('/sign-in');
  // The page stays while backup codes are shown: only a new load leaves it.
  return (
    <SignInFrame>
      {session.mustSetUpTwoFactor && session.twoFactorEnabled ? (
        <ProviderSecondStep next={next} />
      ) : (
        <RequiredTwoFactor next={next} enabled={!session.mustSetUpTwoFactor} />
      )}
    </SignInFrame>
  );
}
