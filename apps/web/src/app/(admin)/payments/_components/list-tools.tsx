'use client';

import { IconChevronDown } from '@tabler/icons-react';
import { lazy, Suspense } from 'react';
import { ExportButton } from '../../../../components/export-button/export-button.tsx';
import { Popup } from '../../../../components/popup/popup.tsx';
import { useScope } from '../../../../scope/use-scope.ts';
import { type PaymentFilters, toPaymentFilter } from '../filters.ts';
import { columnsInFile, columnsShown } from './columns.ts';
import classes from './list-tools.module.css';

const SavedViews = lazy(() => import('./saved-views.tsx').then((module) => ({ default: module.SavedViews })));
const ColumnChoices = lazy(() => import('./column-choices.tsx').then((module) => ({ default: module.ColumnChoices })));

/** Actions on the whole list: saved views, columns, export. */
export function ListTools({
  filters,
  columns,
  onColumns,
}: {
  filters: PaymentFilters;
  columns: readonly string[];
  onColumns: (columns: string[] | null) => void;
}) {
  const scope = useScope();
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
      <ExportButton
        list="payments"
        filter={toPaymentFilter(scope, filters)}
        columns={columnsInFile(columnsShown(columns, scope))}
      />
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
