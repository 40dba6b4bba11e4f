'use client';

import type { RowData } from '@tanstack/react-table';
import type { ReactNode } from 'react';
import { DataTable, type DataTableProps } from '../data-table/data-table.tsx';
import { ErrorState } from '../page/page-failed.tsx';
import { type ListCount, ListEnd } from './list-end.tsx';
import type { ListState } from './use-list.ts';
import type { Pages } from './use-noun-list.ts';

/** A list of one kind of thing. */
export interface NounTableProps<Row> extends Omit<DataTableProps<Row>, 'rows' | 'onNearEnd'> {
  readonly list: Pages<Row>;
  /** Order of the list, where its page has one. */
  readonly tools?: ListState | undefined;
  /** One of the rows, and several. */
  readonly noun: readonly [string, string];
  /** The number of rows there are; undefined where it is not known. */
  readonly total?: ListCount | undefined;
  /** Note about rows that are not listed, and how to find them. */
  readonly note?: string | undefined;
  /** Shown while there is no row. */
  readonly empty: ReactNode;
}

/**
 * A list as every page shows it: a placeholder of the same shape while it loads, why it could not be loaded with a way to try again,
 * what it is for while it is empty, else the table, whose next page is loaded as its end comes near.
 */
export function NounTable<Row extends RowData>({ list, tools, noun, total, note, empty, ...table }: NounTableProps<Row>) {
  const { state, error, rows, hasMore, loadingMore, more, refetch } = list;
  if (state === 'loading') return <ListSkeleton noun={noun[1]} />;
  if (state === 'failed' && error !== null) return <ErrorState error={error} onRetry={refetch} />;
  if (rows.length === 0) return empty;
  return (
    <>
      <DataTable rows={rows} onNearEnd={more} sort={tools?.sort} onSort={tools?.setSort} {...table} />
      <ListEnd
        loaded={rows.length}
        total={total}
        noun={noun}
        note={note}
        hasMore={hasMore}
        loadingMore={loadingMore}
        onMore={more}
      />
    </>
  );
}

const ROWS = Array.from({ length: 14 }, (_, index) => index);

/** Placeholder of a list while it loads: rows of the height of its own. */
function ListSkeleton({ noun }: { noun: string }) {
  return (
    <div className="border-t border-line" role="status" aria-label={`Loading ${noun}`}>
      {ROWS.map((row) => (
        <div
          key={row}
          className="grid grid-cols-[90px_100px_minmax(0,1fr)_110px] gap-6 items-center h-10 border-b border-line"
          style={{ opacity: 1 - row / (ROWS.length + 2) }}
        >
          <span className="h-3 rounded-sm bg-ground-hover" />
          <span className="h-3 rounded-sm bg-ground-hover" />
          <span className="max-w-80 h-3 rounded-sm bg-ground-hover" />
          <span className="h-3 rounded-sm bg-ground-hover" />
        </div>
      ))}
    </div>
  );
}
