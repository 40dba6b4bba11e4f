'use client';

import Link from 'next/link';
import { usePathname, useSearchParams } from 'next/navigation';
import { hrefIn, MODE_COOKIE, MODES, type Mode } from '#/scope/scope.ts';
import { useScope } from '#/scope/use-scope.ts';
import { rememberInCookie } from '../remember.ts';
import modeBandClasses from './mode-band.module.css';
import classes from './mode-switch.module.css';
import { OPEN_IN_SCOPE, pathInOtherScope } from './path-in-other-scope.ts';

const LABELS: Record<Mode, string> = { test: 'Test', live: 'Live' };
const DROPPED_PARAMS: ReadonlySet<string> = new Set(['mode', 'merchant', ...OPEN_IN_SCOPE]);

/** Switches between live and test mode. Filters stay; the open object is closed, because it does not exist in the other mode. */
export function ModeSwitch() {
  const scope = useScope();
  const pathname = usePathname();
  const kept = [...useSearchParams()].filter(([name]) => !DROPPED_PARAMS.has(name));
  return (
    <fieldset className="flex gap-0.5 m-0 p-0.5 border-0 rounded-xl bg-ground-hover">
      <legend className="sr-only">Mode</legend>
      {MODES.map((mode) => (
        <Link
          key={mode}
          className={classes.mode}
          prefetch={false}
          href={hrefIn({ ...scope, mode }, pathInOtherScope(pathname), Object.fromEntries(kept))}
          aria-current={scope.mode === mode ? 'true' : undefined}
          onClick={() => rememberInCookie(MODE_COOKIE, mode)}
        >
          {LABELS[mode]}
        </Link>
      ))}
    </fieldset>
  );
}

/** Shows on every page whether real money moves, in words and by a patterned band. */
export function ModeBand() {
  const { mode } = useScope();
  return (
    <p className={modeBandClasses.band} data-mode={mode}>
      <strong>{mode === 'live' ? 'Live' : 'Test'}</strong>
      <span className="opacity-92">{mode === 'live' ? 'Real money moves here' : 'No real money moves here'}</span>
    </p>
  );
}
