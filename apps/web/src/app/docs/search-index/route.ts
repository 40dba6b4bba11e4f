import MiniSearch from 'minisearch';
import { SEARCH_OPTIONS, type SearchEntry } from '../_components/search/search-options.ts';
import { docsData } from '../_reference/api-document.ts';
import { searchEntries } from './search-entries.ts';

let index: string | undefined;

/**
 * `GET /docs/search-index`: the index that the browser searches. Made at the first request and not by the build, which does not know the
 * public address that the description names; making it takes milliseconds.
 */
export function GET(): Response {
  index ??= makeIndex();
  return new Response(index, { headers: { 'content-type': 'application/json; charset=utf-8' } });
}

function makeIndex(): string {
  const search = new MiniSearch<SearchEntry>(SEARCH_OPTIONS);
  search.addAll(searchEntries(docsData().api));
  return JSON.stringify(search);
}
