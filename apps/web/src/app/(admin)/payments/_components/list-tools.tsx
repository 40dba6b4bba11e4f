'use client';

import { IconChevronDown } from '@tabler/icons-react';
import { lazy, Suspense } from 'react';
import { Popup } from '../../../../components/popup/popup.tsx';
import { useMay } from '../../../../trpc/use-may.ts';
import type { PaymentFilters } from '../filters.ts';
import { ExportButton } from './export-button.tsx';
import classes from './list-tools.module.css';

const SavedViews = lazy(() => import('./saved-views.tsx').then((module) => ({ default: module.SavedViews })));
const ColumnChoices = lazy(() => import('./column-choices.tsx').then((module) => ({ default: module.ColumnChoices })));

/** What is done with the list as a whole: kept under a name, shown with other columns, taken away as a file. */
export function ListTools({
  filters,
  columns,
  onColumns,
}: {
  filters: PaymentFilters;
  columns: readonly string[];
  onColumns: (columns: string[] | null) => void;
}) {
  const may = useMay();
  return (
    <div className={classes.tools}>
      <Tool label="Views">
        {(close) => (
          <Suspense>
            <SavedViews onDone={close} />
          </Suspense>
        )}
      </Tool>
      <Tool label="Columns">
        {() => (
          <Suspense>
            <ColumnChoices columns={columns} onChange={onColumns} />
          </Suspense>
        )}
      </Tool>
      {may('report:export') && <ExportButton filters={filters} columns={columns} />}
    </div>
  );
}

function Tool({ label, children }: { label: string; children: (close: () => void) => React.ReactNode }) {
  const face = (
    <>
      {label}
      <IconChevronDown size={14} stroke={1.7} aria-hidden="true" />
    </>
  );
  return <Popup label={label} align="end" button={{ className: classes.tool, children: face }} content={children} />;
}
