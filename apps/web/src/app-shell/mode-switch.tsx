'use client';

import Link from 'next/link';
import { usePathname, useSearchParams } from 'next/navigation';
import { hrefIn, MODE_COOKIE, MODES, type Mode } from '../scope/scope.ts';
import { useScope } from '../scope/use-scope.ts';
import classes from './mode-switch.module.css';
import { pathElsewhere } from './path-elsewhere.ts';
import { rememberInCookie } from './remember.ts';

const LABELS: Record<Mode, string> = { test: 'Test', live: 'Live' };
/** What belongs to the things shown and not to the way of looking at them. */
const LEFT_BEHIND = new Set(['mode', 'merchant', 'payment']);

/** Between the world where money moves and the one where it does not. Filters stay, what was open does not exist there. */
export function ModeSwitch() {
  const scope = useScope();
  const pathname = usePathname();
  const kept = [...useSearchParams()].filter(([name]) => !LEFT_BEHIND.has(name));
  return (
    <fieldset className={classes.switch}>
      <legend className="visually-hidden">Mode</legend>
      {MODES.map((mode) => (
        <Link
          key={mode}
          className={classes.mode}
          prefetch={false}
          href={hrefIn({ ...scope, mode }, pathElsewhere(pathname), Object.fromEntries(kept))}
          aria-current={scope.mode === mode ? 'true' : undefined}
          onClick={() => rememberInCookie(MODE_COOKIE, mode)}
        >
          {LABELS[mode]}
        </Link>
      ))}
    </fieldset>
  );
}
