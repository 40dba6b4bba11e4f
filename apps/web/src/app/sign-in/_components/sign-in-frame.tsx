import type { ReactNode } from 'react';
import { Logo } from '#/components/page/logo.tsx';
import classes from '../sign-in.module.css';
import { Tracks } from './tracks.tsx';

/** The frame of all sign-in pages. */
export function SignInFrame({ children }: { children: ReactNode }) {
  return (
    <main className={classes.page}>
      <div className={classes.form}>
        <p className={classes.brand}>
          <Logo size={28} />
          Switchyard
        </p>
        {children}
      </div>
      <Tracks />
    </main>
  );
}
