'use client';

import type { RowData } from '@tanstack/react-table';
import type { ReactNode } from 'react';
import { DataTable, type DataTableProps } from '../data-table/data-table.tsx';
import { ErrorState } from '../error-state/error-state.tsx';
import { type ListCount, ListEnd } from './list-end.tsx';
import { ListSkeleton } from './list-skeleton.tsx';
import type { ListState } from './use-list.ts';
import type { Pages } from './use-pages.ts';

/** A list of one kind of thing. */
interface NounTableProps<Row> extends Omit<DataTableProps<Row>, 'rows' | 'onNearEnd'> {
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
