import type { ReactNode } from 'react';
import classes from './impact.module.css';

/** Effect of an override on payments, in the dialog that asks for it. */
export function Impact({ children }: { children: ReactNode }) {
  return <p className={classes.impact}>{children}</p>;
}
