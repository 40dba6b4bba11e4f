import type { UseQueryResult } from '@tanstack/react-query';
import type { Pages } from './use-pages.ts';

type Query = Pick<UseQueryResult<unknown, { readonly message: string }>, 'error' | 'dataUpdatedAt' | 'isFetching' | 'refetch'>;

/** A list whose rows all come with one answer; they are undefined while it has not. */
export function wholeList<Row>(query: Query, rows: readonly Row[] | undefined): Pages<Row> {
  const { error, dataUpdatedAt, isFetching, refetch } = query;
  return {
    state: rows !== undefined ? 'ready' : error === null ? 'loading' : 'failed',
    error,
    rows: rows ?? [],
    hasMore: false,
    loadingMore: false,
    more: () => undefined,
    updatedAt: dataUpdatedAt,
    isFetching,
    refetch: () => void refetch(),
  };
}
