'use client';

import { useScope } from '../scope/use-scope.ts';
import classes from './mode-band.module.css';

/** Says on every page whether money moves here: in words, and by a band of its own pattern. */
export function ModeBand() {
  const { mode } = useScope();
  return (
    <p className={classes.band} data-mode={mode}>
      <strong>{mode === 'live' ? 'Live' : 'Test'}</strong>
      <span className={classes.why}>{mode === 'live' ? 'Real money moves here' : 'No real money moves here'}</span>
    </p>
  );
}
