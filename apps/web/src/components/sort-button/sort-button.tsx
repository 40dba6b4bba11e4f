import { IconArrowDown, IconArrowUp } from '@tabler/icons-react';
import type { ReactNode } from 'react';

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
    <button
      type="button"
      className="group/sort inline-flex items-center gap-1 h-8.25 text-inherit hover:text-ink data-[sorted=true]:text-ink"
      data-sorted={direction !== false}
      onClick={onClick}
    >
      {children}
      <Arrow
        size={13}
        stroke={1.9}
        className="flex-none -mr-4.25 opacity-0 group-hover/sort:opacity-50 group-focus-visible/sort:opacity-50 group-data-[sorted=true]/sort:opacity-100"
        aria-hidden="true"
      />
    </button>
  );
}
