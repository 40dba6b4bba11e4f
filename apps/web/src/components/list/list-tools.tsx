'use client';

import { IconChevronDown } from '@tabler/icons-react';
import { lazy, type ReactNode, Suspense } from 'react';
import { Popup } from '../popup/popup.tsx';
import classes from './list-tools.module.css';
import type { ListState } from './use-list.ts';

const SavedViews = lazy(() => import('./saved-views.tsx').then((module) => ({ default: module.SavedViews })));
const ColumnChoices = lazy(() => import('./column-choices.tsx').then((module) => ({ default: module.ColumnChoices })));

/**
 * The tools of a whole list: its saved views and its columns, or its order where rows are not in columns, then what the page adds, as
 * its export.
 *
 * ```tsx
 * const list = useList(DEFINITION);
 * <PageHead title="Payments"><ListTools list={list}><ExportButton … /></ListTools></PageHead>
 * <DataTable columns={pickColumns(columns, list.shown)} sort={list.sort} onSort={list.setSort} … />
 * ```
 */
export function ListTools({
  list,
  viewsLabel = 'Views',
  children,
}: {
  list: ListState;
  /** Name of the page's saved views. */
  viewsLabel?: string;
  children?: ReactNode;
}) {
  const hasColumns = list.definition.columns.length > 0;
  return (
    <div className="flex gap-2 ml-auto max-tablet:ml-0">
      <Tool label={viewsLabel}>
        {(close) => (
          <Suspense>
            <SavedViews definition={list.definition} onDone={close} />
          </Suspense>
        )}
      </Tool>
      {(hasColumns || list.sort !== undefined) && (
        <Tool label={hasColumns ? 'Columns' : 'Sort'}>
          {() => (
            <Suspense>
              <ColumnChoices list={list} />
            </Suspense>
          )}
        </Tool>
      )}
      {children}
    </div>
  );
}

function Tool({ label, children }: { label: string; children: (close: () => void) => ReactNode }) {
  const face = (
    <>
      {label}
      <IconChevronDown size={14} stroke={1.7} aria-hidden="true" />
    </>
  );
  return <Popup label={label} align="end" button={{ className: classes.tool, children: face }} content={children} />;
}
