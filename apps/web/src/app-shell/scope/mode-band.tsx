'use client';

import { useScope } from '#/scope/use-scope.ts';
import classes from './mode-band.module.css';

/** Shows on every page whether real money moves, in words and by a patterned band. */
export function ModeBand() {
  const { mode } = useScope();
  return (
    <p className={classes.band} data-mode={mode}>
      <strong>{mode === 'live' ? 'Live' : 'Test'}</strong>
      <span className="opacity-92">{mode === 'live' ? 'Real money moves here' : 'No real money moves here'}</span>
    </p>
  );
}
