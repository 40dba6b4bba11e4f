import { IconArrowDown, IconArrowUp } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import classes from './sort-button.module.css';

/** The values of `aria-sort` on the header of a column that sorts. */
export const SORTED = { asc: 'ascending', desc: 'descending', none: 'none' } as const;

/** A header that sorts, with the direction it has sorted in. */
export function SortButton({
  direction,
  onClick,
  children,
}: {
  direction: 'asc' | 'desc' | false;
  onClick: () => void;
  children: ReactNode;
}) {
  const Arrow = direction === 'asc' ? IconArrowUp : IconArrowDown;
  return (
    <button type="button" className={classes.sort} data-sorted={direction !== false} onClick={onClick}>
      {children}
      <Arrow size={13} stroke={1.9} className={classes.arrow} aria-hidden="true" />
    </button>
  );
}
