/** One page of a list (docs/concepts/pagination.md). */

/** @typeParam Position the position after which the next page begins; the last sort key unless a list needs more */
export interface Page<T, Position = string> {
  readonly items: readonly T[];
  /** Position after which the next page begins; null on the last page. */
  readonly next: Position | null;
}

export interface Paging<Position = string> {
  readonly limit: number;
  /** null: from the beginning. */
  readonly after: Position | null;
}
