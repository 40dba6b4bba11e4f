import type { ReactNode } from 'react';
import { Logo } from '#/components/page/logo.tsx';
import { Tracks } from './tracks.tsx';

/** The frame of all sign-in pages. */
export function SignInFrame({ children }: { children: ReactNode }) {
  return (
    <main className="grid grid-cols-1 min-h-[100dvh] min-[960px]:grid-cols-[minmax(400px,1fr)_minmax(0,1.2fr)]">
      <div className="flex flex-col justify-center gap-8 w-full max-w-[408px] mx-auto px-6 pt-8 pb-[12vh]">
        <p className="flex items-center gap-2.5 text-lg font-semibold tracking-[-0.01em]">
          <Logo size={28} />
          Switchyard
        </p>
        {children}
      </div>
      <Tracks />
    </main>
  );
}
