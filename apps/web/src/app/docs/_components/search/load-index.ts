import MiniSearch from 'minisearch';
import { SEARCH_OPTIONS } from './search-options.ts';

let index: Promise<MiniSearch> | undefined;

/** The index of the documentation, fetched once for all searches of a visit. */
export function loadIndex(): Promise<MiniSearch> {
  index ??= fetchIndex().catch((error: unknown) => {
    index = undefined;
    throw error;
  });
  return index;
}

async function fetchIndex(): Promise<MiniSearch> {
  const response = await fetch('/docs/search-index');
  if (!response.ok) throw new Error(`the index was answered with ${response.status}`);
  return MiniSearch.loadJSON(await response.text(), SEARCH_OPTIONS);
}
