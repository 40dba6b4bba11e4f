import type { ReactNode } from 'react';
import { Button } from '../button/button.tsx';
import { EmptyState } from '../empty-state/empty-state.tsx';
import type { Pages } from './use-noun-list.ts';

/** The text in place of an empty list: that no row matches, with the way back, or what the list is for. */
export function NothingListed({
  nouns,
  onClear,
  title = `No ${nouns} yet`,
  action,
  children,
}: {
  /** Several of the rows: `refunds`. */
  nouns: string;
  /** Clears the filters; null where none is set. */
  onClear: (() => void) | null;
  title?: string;
  /** The first step. */
  action?: ReactNode;
  /** The rows that the list will hold. */
  children?: ReactNode;
}) {
  if (onClear === null) {
    return (
      <EmptyState title={title} action={action}>
        {children}
      </EmptyState>
    );
  }
  return <EmptyState title={`No ${nouns} match these filters`} action={<Button onClick={onClear}>Clear the filters</Button>} />;
}

/** In place of a list that its filters leave empty: says how many rows the search alone finds, and shows these. */
export function HiddenByFilters<Filters>({
  text,
  useRows,
  alone,
  noun: [one, many],
  onShow,
  onClear,
}: {
  /** The text that was searched for. */
  text: string;
  /** The rows of filters, in the default order. */
  useRows: (filters: Filters, sort: string) => Pages<unknown>;
  /** The search without the other filters. */
  alone: Filters;
  /** One row, and several: `['refund', 'refunds']`. */
  noun: readonly [string, string];
  /** Clears all filters but the search. */
  onShow: () => void;
  onClear: () => void;
}) {
  const found = useRows(alone, '');
  const { length } = found.rows;
  if (found.state !== 'ready' || length === 0) {
    return <EmptyState title={`No ${many} match these filters`} action={<Button onClick={onClear}>Clear the filters</Button>} />;
  }
  const isOne = length === 1 && !found.hasMore;
  return (
    <EmptyState
      title={`The filters hide ${isOne ? `1 ${one}` : `${length}${found.hasMore ? ' or more' : ''} ${many}`}`}
      action={<Button onClick={onShow}>Show {isOne ? 'it' : 'them'}</Button>}
    >
      The search for “{text}” finds {isOne ? 'it' : 'them'} outside the other filters.
    </EmptyState>
  );
}
