import type { Metadata } from 'next';
import { redirect } from 'next/navigation';
import { Mark } from '../../components/mark.tsx';
import { currentSession } from '../../server/current-session.ts';
import { SignIn } from './_components/sign-in.tsx';
import { Tracks } from './_components/tracks.tsx';
import { pathAfterSignIn } from './path-after-sign-in.ts';
import classes from './sign-in.module.css';

export const metadata: Metadata = { title: 'Sign in' };

export default async function SignInPage({ searchParams }: { searchParams: Promise<{ next?: string | string[] }> }) {
  const next = pathAfterSignIn((await searchParams).next);
  if ((await currentSession()) !== null) redirect(next);
  return (
    <main className={classes.page}>
      <div className={classes.form}>
        <p className={classes.brand}>
          <Mark size={28} />
          Switchyard
        </p>
        <SignIn next={next} />
      </div>
      <Tracks />
    </main>
  );
}
