import type { ReactNode } from 'react';
import classes from './page-head.module.css';

/** The head of a page: its title and actions. */
export function PageHead({ title, children }: { title: string; children?: ReactNode }) {
  return (
    <div className={classes.head}>
      <h1 className={classes.title}>{title}</h1>
      {children}
    </div>
  );
}
