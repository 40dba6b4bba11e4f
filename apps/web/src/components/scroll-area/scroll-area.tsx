import type { ReactNode } from 'react';
import classes from './scroll-area.module.css';

/** Content that may overflow: scrolls by itself, is focusable so that the keyboard can scroll it, and has an accessible name. */
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
