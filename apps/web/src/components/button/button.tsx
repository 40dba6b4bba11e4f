import type { ComponentProps } from 'react';
import classes from './button.module.css';

/** A button's properties; while `loading` it takes no click. */
export interface ButtonProps extends Omit<ComponentProps<'button'>, 'className'> {
  readonly loading?: boolean;
  /** `accent` for the main action of a dialog or a form; `danger` for a destructive one. */
  readonly variant?: 'plain' | 'accent' | 'danger';
}

/** A button for what a list or a page offers; `loading` while it is being done. */
export function Button({ loading = false, variant = 'plain', ...props }: ButtonProps) {
  return (
    <button
      type="button"
      {...props}
      className={classes.button}
      data-variant={variant}
      aria-busy={loading}
      disabled={loading || props.disabled === true}
    />
  );
}
