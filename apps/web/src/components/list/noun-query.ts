import { type InfiniteData, keepPreviousData } from '@tanstack/react-query';

/** Pages of a list that are refreshed together, as a rule: to fetch a long list again and again is costly. */
const PAGES_REFRESHED = 2;

interface Page<Cursor> {
  readonly next: Cursor | null;
}

/** Options of the query of a list: it is loaded page after page, and refreshed at this interval while no more than `most` pages are shown. */
export function pagesEvery(refreshMs: number, most: number = PAGES_REFRESHED) {
  return {
    getNextPageParam: <Cursor>({ next }: Page<Cursor>) => next ?? undefined,
    placeholderData: keepPreviousData,
    refetchInterval: ({ state: { data } }: { readonly state: { readonly data: InfiniteData<unknown> | undefined } }) =>
      (data?.pages.length ?? 0) <= most ? refreshMs : (false as const),
  };
}
