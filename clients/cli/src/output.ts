/** Results: JSON for programs, in the form of the API, or text for people. */
import type { PagePromise } from '../../typescript/src/index.ts';
import { toJson } from './terminal/clean.ts';
import { type Context, commandsWith } from './terminal/command.ts';

/** Options of every command. */
export const command = commandsWith({
  json: { type: 'boolean', describe: "print JSON: the API's own objects; streams print one a line" },
  profile: { describe: 'the profile to use, from parley login --profile' },
});

export interface OutputValues {
  readonly json?: boolean | undefined;
}

/** Prints a result. @param text for people; called only where it is needed */
export function result(
  { json }: OutputValues,
  { terminal }: Context,
  value: unknown,
  text: () => string,
): void {
  terminal.print(json ? toJson(value) : text());
}

/** Options of a list. */
export const listOptions = {
  limit: { type: 'number', default: 20, describe: 'at most so many, over several pages' },
  cursor: { describe: 'next_cursor of the page before' },
} as const;

const pageItemsMax = 100;

/** Up to `limit` items of a list, in the form of a page of the API. */
export async function listUpTo<Item, Query extends object>(
  read: (query: Query & { limit: number; cursor?: string }) => PagePromise<Item>,
  query: Query,
  { limit, cursor }: { readonly limit: number; readonly cursor: string | undefined },
): Promise<{ readonly data: readonly Item[]; readonly next_cursor: string | null }> {
  const data: Item[] = [];
  let next: string | null | undefined = cursor;
  do {
    const page: { items: Item[]; next_cursor: string | null } = await read({
      ...query,
      limit: Math.min(pageItemsMax, limit - data.length),
      ...(next && { cursor: next }),
    });
    data.push(...page.items);
    next = page.next_cursor;
  } while (next !== null && data.length < limit);
  return { data, next_cursor: next };
}

/** What follows a list for people. */
export function moreOf(next: string | null): string {
  return next === null ? '' : `\nMore: --cursor ${next}`;
}

/** Leaves out what is undefined. */
export function given<T extends object>(values: T): { [Name in keyof T]: Exclude<T[Name], undefined> } {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as {
    [Name in keyof T]: Exclude<T[Name], undefined>;
  };
}

/** A time as people read it: `2026-01-31 12:00`, in the time zone of the machine. */
export function shortTime(time: string | null): string {
  if (time === null) return '-';
  const date = new Date(time);
  const pad = (value: number) => String(value).padStart(2, '0');
  const day = `${date.getFullYear()}-${pad(date.getMonth() + 1)}-${pad(date.getDate())}`;
  return `${day} ${pad(date.getHours())}:${pad(date.getMinutes())}`;
}
