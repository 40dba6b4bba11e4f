import type { ReactNode } from 'react';
import { Logo } from '#/components/page/logo.tsx';

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

const TRACKS = [
  'M-20 420H160C260 420 240 180 340 180H820',
  'M-20 420H220C320 420 300 300 400 300H820',
  'M160 420H820',
  'M-20 420H340C440 420 420 540 520 540H820',
  'M-20 420H280C400 420 380 660 500 660H820',
] as const;

/** A switchyard, drawn: one track in, several out, one of them taken. */
function Tracks() {
  return (
    <svg
      className="hidden min-[960px]:block min-[960px]:w-full min-[960px]:h-[100dvh] min-[960px]:border-l min-[960px]:border-line min-[960px]:bg-ground-quiet"
      viewBox="0 0 800 840"
      preserveAspectRatio="xMinYMid slice"
      fill="none"
      aria-hidden="true"
    >
      {TRACKS.map((path) => (
        <path key={path} d={path} stroke="var(--line-strong)" strokeWidth="2" />
      ))}
      <path d={TRACKS[1]} stroke="var(--accent)" strokeWidth="4" />
      {[
        [340, 180],
        [520, 540],
        [500, 660],
        [460, 420],
      ].map(([x, y]) => (
        <circle key={y} cx={x} cy={y} r="6" fill="var(--ground-quiet)" stroke="var(--line-strong)" strokeWidth="2" />
      ))}
      <circle cx="400" cy="300" r="8" fill="var(--ground-quiet)" stroke="var(--accent)" strokeWidth="4" />
    </svg>
  );
}
