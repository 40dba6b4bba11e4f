import type { ReactNode } from 'react';
import { Button } from '../button/button.tsx';
import { EmptyState } from '../empty-state/empty-state.tsx';

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
