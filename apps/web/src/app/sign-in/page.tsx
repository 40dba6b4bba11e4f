import type { Metadata } from 'next';
import { redirect } from 'next/navigation';
import { currentSession } from '#/server/session.ts';
import { SignIn } from './_components/sign-in.tsx';
import { SignInFrame } from './_components/sign-in-frame.tsx';
import { pathAfterSignIn } from './path-after-sign-in.ts';

export const metadata: Metadata = { title: 'Sign in' };

export default async function SignInPage({ searchParams }: { searchParams: Promise<{ next?: string | string[] }> }) {
  const next = pathAfterSignIn((await searchParams).next);
  if ((await currentSession()) !== null) redirect(next);
  return (
    <SignInFrame>
      <SignIn next={next} />
    </SignInFrame>
  );
}
