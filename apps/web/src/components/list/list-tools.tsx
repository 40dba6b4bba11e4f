'use client';

import { IconChevronDown } from '@tabler/icons-react';
import { lazy, type ReactNode, Suspense } from 'react';
import { Popup } from '../popup/popup.tsx';
import type { ListState } from './use-list.ts';

const SavedViews = lazy(() => import('./saved-views.tsx').then((module) => ({ default: module.SavedViews })));
const SortChoice = lazy(() => import('./sort-choice.tsx').then((module) => ({ default: module.SortChoice })));

/**
 * The tools of a whole list: its saved views, its order where rows have no headers to sort by, then what the page adds, as its export.
 *
 * ```tsx
 * const list = useList(DEFINITION);
 * <PageHead title="Payments"><ListTools list={list}><ExportButton … /></ListTools></PageHead>
 * <DataTable name={list.definition.page} sort={list.sort} onSort={list.setSort} … />
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
  const { isCards = false } = list.definition;
  return (
    <div className="flex gap-2 ml-auto max-tablet:ml-0">
      <Tool label={viewsLabel}>
        {(close) => (
          <Suspense>
            <SavedViews definition={list.definition} onDone={close} />
          </Suspense>
        )}
      </Tool>
      {list.sort !== undefined && (
        <div className={isCards ? undefined : 'tablet:hidden'}>
          <Tool label="Sort">
            {() => (
              <Suspense>
                <SortChoice list={list} />
              </Suspense>
            )}
          </Tool>
        </div>
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
  return <Popup label={label} align="end" button={{ className: 'bar-control', children: face }} content={children} />;
}
