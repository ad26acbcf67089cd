/** Options of the search index, which the builder and the script in the browser share. */

/** What the search finds: a page, or a section of one. */
export interface SearchEntry {
  readonly id: number;
  /** With the anchor of a section. */
  readonly url: string;
  readonly title: string;
  /** Empty: the start of the page. */
  readonly heading: string;
  readonly text: string;
  /** Names of code: those of an operation, as in `sendEmail`. */
  readonly names: string;
}

/** What the index stores of an entry. */
export type SearchHit = Pick<SearchEntry, 'url' | 'title' | 'heading'>;

export const searchOptions = {
  fields: ['heading', 'title', 'names', 'text'],
  storeFields: ['url', 'title', 'heading'],
  // Words of code: `thread_id` is found by `thread`, and `spaces.list` by `list`.
  tokenize: (text: string): string[] => text.split(/[\s\p{P}\p{S}]+/u).filter(Boolean),
};

export const queryOptions = {
  boost: { names: 6, heading: 4, title: 3 },
  prefix: true,
  fuzzy: (term: string): number | boolean => (term.length > 4 ? 0.2 : false),
  combineWith: 'AND' as const,
};
