/** The search index: a section of a page is an entry. */
import MiniSearch from 'minisearch';
import { type SearchEntry, searchOptions } from './search-options.ts';

/** @returns JSON for `MiniSearch.loadJSON` */
export function searchIndex(entries: readonly Omit<SearchEntry, 'id'>[]): string {
  const index = new MiniSearch<SearchEntry>(searchOptions);
  index.addAll(entries.map((entry, id) => ({ ...entry, id })));
  return JSON.stringify(index);
}
