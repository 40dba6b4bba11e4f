import type { ReactNode } from 'react';
import classes from './with-panel.module.css';

/**
 * A page with what is open on it: beside it in a wide window, over it in a narrow one.
 *
 * `wide` is for panels that hold charts and tables of their own.
 */
export function WithPanel({
  panel,
  label,
  wide = false,
  children,
}: {
  /** Null or false while nothing is open. */
  panel: ReactNode;
  label?: string;
  wide?: boolean;
  children: ReactNode;
}) {
  const open = panel !== null && panel !== undefined && panel !== false;
  return (
    <div className={classes.page} data-panel={open} data-wide={wide}>
      {label === undefined ? (
        <div className={classes.main}>{children}</div>
      ) : (
        <section className={classes.main} aria-label={label}>
          {children}
        </section>
      )}
      {panel}
    </div>
  );
}
