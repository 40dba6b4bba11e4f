import type { ReactNode } from 'react';
import { Button } from '#/components/button/button.tsx';
import { EmptyState } from '#/components/empty-state/empty-state.tsx';

/** An empty list: no row matches the filters, or there is none. */
export function NothingYet({ title, onClear, children }: { title: string; onClear?: () => void; children?: ReactNode }) {
  return (
    <EmptyState title={title} action={onClear !== undefined && <Button onClick={onClear}>Clear the filters</Button>}>
      {children}
    </EmptyState>
  );
}
