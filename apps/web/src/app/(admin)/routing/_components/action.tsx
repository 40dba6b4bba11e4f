import type { ComponentProps } from 'react';
import classes from './action.module.css';

/** A button of the routing pages. One of a page is `primary`; `danger` takes something away. */
export function Action({
  primary = false,
  danger = false,
  busy = false,
  ...props
}: Omit<ComponentProps<'button'>, 'className'> & { primary?: boolean; danger?: boolean; busy?: boolean }) {
  return (
    <button
      type="button"
      {...props}
      className={classes.action}
      data-primary={primary}
      data-danger={danger}
      aria-busy={busy}
      disabled={busy || props.disabled === true}
    />
  );
}
