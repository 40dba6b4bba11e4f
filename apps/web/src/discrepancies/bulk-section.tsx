'use client';

import type { ReactNode } from 'react';
import { Refusal } from '#/components/page/refusal.tsx';
import type { BulkResults } from './discrepancy-actions.ts';
import { describeResults } from './use-bulk-bar.ts';

/** The actions on the selected rows of a list of discrepancies, as `buttons`, the results of the last one, and its dialog as `children`. */
export function BulkSection({
  count,
  sums,
  results,
  refusal,
  buttons,
  children,
}: {
  count: number;
  /** The amounts of the selected rows, added up. */
  sums: string;
  results: BulkResults | null;
  refusal: string | null;
  buttons: ReactNode;
  children: ReactNode;
}) {
  return (
    <section className="flex flex-wrap items-center gap-2 min-h-10 mb-1 text-sm" aria-label="Bulk actions">
      {count > 0 && (
        <>
          <span className="mr-2 font-medium tabular-nums">
            {count.toLocaleString('en')} selected · {sums}
          </span>
          {buttons}
        </>
      )}
      <p className="text-ink-quiet empty:hidden" role="status">
        {results !== null && describeResults(results)}
      </p>
      <Refusal message={refusal} />
      {children}
    </section>
  );
}
