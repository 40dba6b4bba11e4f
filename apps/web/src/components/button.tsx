import type { ComponentProps } from 'react';
import classes from './button.module.css';

/** A button for what a list or a page offers; `busy` while it is being done. Forms have the kit's. */
export function Button({ busy = false, ...props }: Omit<ComponentProps<'button'>, 'className'> & { busy?: boolean }) {
  return (
    <button type="button" {...props} className={classes.button} aria-busy={busy} disabled={busy || props.disabled === true} />
  );
}
