'use client';

import type { UseInfiniteQueryResult } from '@tanstack/react-query';
import { useCallback, useMemo } from 'react';

/** A list that is loaded page after page, as a page shows it. */
export interface Pages<Row> {
  readonly state: 'ready' | 'failed' | 'loading';
  /** Why it could not be loaded; null where it could. */
  readonly error: { readonly message: string } | null;
  readonly rows: readonly Row[];
  readonly hasMore: boolean;
  readonly loadingMore: boolean;
  /** Loads the next page, unless it is on its way or there is none. */
  readonly more: () => void;
  readonly updatedAt: number;
  readonly isFetching: boolean;
  readonly refetch: () => void;
}

/** The rows of all pages loaded so far, and how further ones are requested. */
export function usePages<Row>(
  query: UseInfiniteQueryResult<{ readonly pages: readonly { readonly items: readonly Row[] }[] }, { readonly message: string }>,
): Pages<Row> {
  const { data, error, isError, hasNextPage, isFetchingNextPage, fetchNextPage, refetch, dataUpdatedAt, isFetching } = query;
  const rows = useMemo(() => data?.pages.flatMap(({ items }) => items) ?? [], [data]);
  const more = useCallback(() => {
    if (hasNextPage && !isFetchingNextPage) fetchNextPage().catch(() => null);
  }, [hasNextPage, isFetchingNextPage, fetchNextPage]);
  return {
    state: data !== undefined ? 'ready' : isError ? 'failed' : 'loading',
    error,
    rows,
    hasMore: hasNextPage,
    loadingMore: isFetchingNextPage,
    more,
    updatedAt: dataUpdatedAt,
    isFetching,
    refetch: () => void refetch(),
  };
}
