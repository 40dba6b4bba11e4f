import type { ReactNode } from 'react';
import { Button } from '#/components/button/button.tsx';
import { Empty } from '#/components/empty/empty.tsx';

/** An empty list: no row matches the filters, or there is none. */
export function NothingYet({ title, onClear, children }: { title: string; onClear?: () => void; children?: ReactNode }) {
  return (
    <Empty title={title} action={onClear !== undefined && <Button onClick={onClear}>Clear the filters</Button>}>
      {children}
    </Empty>
  );
}
