import type { ReactNode } from 'react';
import classes from './description-list.module.css';

/** Facts with their names, one a line. */
export function DescriptionList({ children }: { children: ReactNode }) {
  return <dl className="grid gap-0.5">{children}</dl>;
}

/** One fact; left out when it has no value. */
export function Description({ name, strong = false, children }: { name: string; strong?: boolean; children: ReactNode }) {
  if (children === null || children === undefined || children === '') return null;
  return (
    <div className={classes.fact} data-strong={strong}>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}
