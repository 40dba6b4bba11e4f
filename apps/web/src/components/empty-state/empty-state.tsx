import type { ReactNode } from 'react';
import classes from './empty-state.module.css';

/** Shown in place of an empty list: what it will hold, an example, and the first step. */
export function EmptyState({
  title,
  example,
  action,
  children,
}: {
  title: string;
  example?: ReactNode;
  /** A button or a link. */
  action?: ReactNode;
  children?: ReactNode;
}) {
  return (
    <div className={classes.empty}>
      <h2 className={classes.title}>{title}</h2>
      {children !== undefined && <p className={classes.lead}>{children}</p>}
      {example !== undefined && <p className={classes.example}>{example}</p>}
      {action}
    </div>
  );
}
