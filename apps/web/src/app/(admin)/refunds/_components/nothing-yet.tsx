import type { ReactNode } from 'react';
import { Button } from '../../../../components/button.tsx';
import { Empty } from '../../../../components/empty/empty.tsx';

/** A list with nothing in it: because of the filters, or because there is nothing. */
export function NothingYet({ title, onClear, children }: { title: string; onClear?: () => void; children?: ReactNode }) {
  return (
    <Empty title={title} action={onClear !== undefined && <Button onClick={onClear}>Clear the filters</Button>}>
      {children}
    </Empty>
  );
}
