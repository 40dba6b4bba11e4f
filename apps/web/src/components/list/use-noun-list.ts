'use client';

import {
  type InfiniteData,
  type QueryKey,
  type UseInfiniteQueryOptions,
  type UseInfiniteQueryResult,
  type UseQueryResult,
  useInfiniteQuery,
} from '@tanstack/react-query';
import { useCallback, useMemo } from 'react';

interface Page {
  readonly items: readonly unknown[];
}

/**
 * A list that is loaded page after page. Its page on the server asks for the first one by the same query, so that the list is there
 * when the page is.
 */
export function useNounList<Of extends Page, Failure extends { readonly message: string }, Key extends QueryKey, Cursor>(
  query: UseInfiniteQueryOptions<Of, Failure, InfiniteData<Of, Cursor>, Key, Cursor>,
): Pages<Of['items'][number]> & { readonly first: Of | undefined } {
  const result = useInfiniteQuery(query);
  return { ...usePages<Of['items'][number]>(result), first: result.data?.pages[0] };
}

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
