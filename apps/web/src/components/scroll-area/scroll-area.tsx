import type { ReactNode } from 'react';
import classes from './scroll-area.module.css';

/** What may be wider or longer than its place. It scrolls by itself, takes the focus so that the keyboard can do so, and has a name. */
export function ScrollArea({
  label,
  className,
  children,
}: {
  label: string;
  className?: string | undefined;
  children: ReactNode;
}) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by the keyboard.
    <section className={className === undefined ? classes.area : `${classes.area} ${className}`} aria-label={label} tabIndex={0}>
      {children}
    </section>
  );
}
