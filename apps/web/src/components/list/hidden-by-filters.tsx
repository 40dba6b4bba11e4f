import { Button } from '../button/button.tsx';
import { EmptyState } from '../empty-state/empty-state.tsx';
import type { Pages } from './use-pages.ts';

/** In place of a list that its filters leave empty: says how many rows the search alone finds, and shows these. */
export function HiddenByFilters({
  text,
  found,
  noun: [one, many],
  onShow,
  onClear,
}: {
  /** The text that was searched for. */
  text: string;
  /** Rows that the search alone finds. */
  found: Pages<unknown>;
  /** One row, and several: `['refund', 'refunds']`. */
  noun: readonly [string, string];
  /** Clears all filters but the search. */
  onShow: () => void;
  onClear: () => void;
}) {
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
