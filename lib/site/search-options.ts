/** The search index and its ranking, which the builder and the script in the browser share. */
import type MiniSearch from 'minisearch';

/** What the search finds: a page, or a section of one. */
export interface SearchEntry {
  readonly id: number;
  /** With the anchor of a section. */
  readonly url: string;
  readonly title: string;
  /** Empty: the start of the page. */
  readonly heading: string;
  /** Where a whole page is: `Concepts`; empty for a section. */
  readonly kicker: string;
  readonly text: string;
  /** Names of code: those of an operation, as in `sendEmail`; the status of a problem. */
  readonly names: string;
  /** Factor of the rank. */
  readonly weight: number;
}

/** What the index stores of an entry. */
export type SearchHit = Pick<SearchEntry, 'url' | 'title' | 'heading' | 'kicker'>;

export const searchOptions = {
  fields: ['heading', 'title', 'names', 'text'],
  storeFields: ['url', 'title', 'heading', 'kicker', 'weight'],
  // Words of code: `thread_id` is found by `thread`, and `spaces.list` by `list`.
  tokenize: (text: string): string[] => text.split(/[\s\p{P}\p{S}]+/u).filter(Boolean),
  // One word in singular and plural.
  processTerm: (word: string): string => word.toLowerCase().replace(/(?<=\w\w[^su])s$/, ''),
};

const queryOptions = {
  boost: { names: 6, heading: 4, title: 3 },
  boostDocument: (_id: unknown, _term: string, stored?: Record<string, unknown>): number =>
    Number(stored?.weight ?? 1),
  prefix: true,
  combineWith: 'AND' as const,
};
const fuzzy = (term: string): number | boolean => (term.length > 4 ? 0.2 : false);

/** From strict to generous: the first that finds something counts, so that `gmail` is not taken for `email`. */
const queries = [
  queryOptions,
  { ...queryOptions, fuzzy },
  { ...queryOptions, fuzzy, combineWith: 'OR' as const },
];

/** @returns best first, at most `hitsMax` */
export function searchHits(
  index: MiniSearch<SearchEntry>,
  query: string,
  hitsMax: number,
): readonly SearchHit[] {
  for (const options of queries) {
    const hits = index.search(query, options);
    if (hits.length > 0) return hits.slice(0, hitsMax) as unknown as SearchHit[];
  }
  return [];
}
