'use client';

import { type InfiniteData, type QueryKey, type UseInfiniteQueryOptions, useInfiniteQuery } from '@tanstack/react-query';
import { type Pages, usePages } from './use-pages.ts';

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
