import type { Options } from 'minisearch';

/** A part of a page that can be found; its id is its address. */
export interface SearchEntry {
  readonly id: string;
  readonly title: string;
  readonly page: string;
  readonly text: string;
  /** The first words of the text. */
  readonly begins: string;
}

/** How the index is made, and searched: titles before text, beginnings of words, and one typing mistake in longer words. */
export const SEARCH_OPTIONS: Options<SearchEntry> = {
  fields: ['title', 'page', 'text'],
  storeFields: ['title', 'page', 'begins'],
  searchOptions: {
    boost: { title: 4, page: 2 },
    prefix: true,
    fuzzy: (term) => (term.length > 4 ? 1 : false),
    combineWith: 'AND',
  },
};
