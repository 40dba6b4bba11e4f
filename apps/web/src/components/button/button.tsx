import type { ComponentProps } from 'react';
import classes from './button.module.css';

/** A button's properties; while `busy` it takes no click. */
export interface ButtonProps extends Omit<ComponentProps<'button'>, 'className'> {
  readonly busy?: boolean;
  /** `accent` for the main action of a dialog or a form; `danger` for a destructive one. */
  readonly tone?: 'plain' | 'accent' | 'danger';
}

/** A button for what a list or a page offers; `busy` while it is being done. */
export function Button({ busy = false, tone = 'plain', ...props }: ButtonProps) {
  return (
    <button
      type="button"
      {...props}
      className={classes.button}
      data-tone={tone}
      aria-busy={busy}
      disabled={busy || props.disabled === true}
    />
  );
}
