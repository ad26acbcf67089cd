/**
 * What is new in a Microsoft mailbox.
 *
 * Changes are delta queries of the inbox and of Sent Items ("Get incremental changes to messages in a folder"). Rules move
 * mail to other folders before anybody sees it, and a delta query is one of a single folder. So each round also lists the
 * messages of all folders by the time they were received.
 */
import * as z from 'zod';
import { ProviderError, type ProviderMail } from '../../../core/mailboxes/provider.ts';
import { now } from '../../clock.ts';
import { parsedAnswer, parsedCursor } from '../parsed-answer.ts';
import { type GraphCalls, pageSize, provider } from './graph-calls.ts';

/** A message may become visible later than its time of reception says. */
const overlapMs = 10 * 60_000;

type Folder = 'inbox' | 'sentitems';

/** Where the delta query of a folder is: the query of its next link, and whether this round is over for the folder. */
const position = z.strictObject({ query: z.string(), isDone: z.boolean() });
const cursorSchema = z.strictObject({
  inbox: position,
  sentitems: position,
  /** Messages of all folders that were received since, but not before `from`; `page`: query of the next page. */
  all: z.strictObject({
    from: z.number(),
    since: z.number(),
    until: z.number(),
    page: z.string().nullable(),
    isDone: z.boolean(),
  }),
});
type Cursor = z.output<typeof cursorSchema>;

const changedMessage = z.object({
  id: z.string(),
  isDraft: z.boolean().default(false),
  '@removed': z.unknown().optional(),
});
const page = z.object({
  value: z.array(changedMessage),
  '@odata.nextLink': z.string().optional(),
  '@odata.deltaLink': z.string().optional(),
});
export function graphChanges({
  get,
}: Pick<GraphCalls, 'get'>): Pick<ProviderMail, 'currentCursor' | 'changesSince' | 'listSince'> {
  return {
    // The delta queries begin with the first round: until then they need no call.
    async currentCursor() {
      const since = now();
      const query = firstQuery(since);
      const position = { query, isDone: false };
      const all = { from: since, since, until: since, page: null, isDone: false };
      return JSON.stringify({ inbox: position, sentitems: position, all } satisfies Cursor);
    },

    async changesSince(accessToken, text) {
      const cursor = parsedCursor(provider, cursorSchema, text);
      const startedAt = now();
      const [inbox, sentitems, all] = await Promise.all([
        nextOfFolder(get, accessToken, 'inbox', cursor.inbox),
        nextOfFolder(get, accessToken, 'sentitems', cursor.sentitems),
        nextOfAll(get, accessToken, cursor.all, startedAt),
      ]);
      const isLast = inbox.next.isDone && sentitems.next.isDone && all.next.isDone;
      const ids = new Set([...inbox.ids, ...sentitems.ids, ...all.ids]);
      const next: Cursor = isLast
        ? {
            inbox: { ...inbox.next, isDone: false },
            sentitems: { ...sentitems.next, isDone: false },
            all: { ...all.next, since: all.next.until, page: null, isDone: false },
          }
        : { inbox: inbox.next, sentitems: sentitems.next, all: all.next };
      return { added: [...ids].map((id) => ({ id })), cursor: JSON.stringify(next), isLast };
    },

    async listSince(accessToken, sinceMs, next) {
      const { ids, nextPage } = await receivedSince(get, accessToken, sinceMs, next);
      return { found: ids.map((id) => ({ id })), nextPage };
    },
  };
}

/** Times of reception have whole seconds: what comes in the second of a connection is new. */
function receivedFrom(sinceMs: number): string {
  return `receivedDateTime ge ${new Date(Math.floor(sinceMs / 1000) * 1000).toISOString()}`;
}

/** How the delta query of a folder begins: with messages received since, so that its first rounds are short. */
function firstQuery(since: number): string {
  const query = new URLSearchParams({
    $filter: receivedFrom(since),
    $select: 'id,isDraft',
    changeType: 'created',
  });
  return `?${query}`;
}

/** The next page of a folder; nothing where this round is over for it. */
async function nextOfFolder(
  get: GraphCalls['get'],
  accessToken: string,
  folder: Folder,
  { query, isDone }: Cursor['inbox'],
) {
  if (isDone) return { ids: [], next: { query, isDone } };
  const answer = await get(accessToken, `mailFolders/${folder}/messages/delta${query}`);
  const found = parsedAnswer(provider, page, answer);
  const link = found['@odata.nextLink'] ?? found['@odata.deltaLink'];
  if (link === undefined) throw new ProviderError('unknown', 'Microsoft named no position.');
  return { ids: idsOf(found), next: { query: queryOf(link), isDone: !found['@odata.nextLink'] } };
}

async function nextOfAll(get: GraphCalls['get'], accessToken: string, all: Cursor['all'], startedAt: number) {
  if (all.isDone) return { ids: [], next: all };
  // The next round begins where the first page of this one was read.
  const until = all.page === null ? startedAt : all.until;
  const { ids, nextPage } = await receivedSince(
    get,
    accessToken,
    Math.max(all.from, all.since - overlapMs),
    all.page,
  );
  return { ids, next: { ...all, until, page: nextPage, isDone: nextPage === null } };
}

/** Messages of all folders, newest first. Drafts have a time of reception as well. */
async function receivedSince(
  get: GraphCalls['get'],
  accessToken: string,
  sinceMs: number,
  next: string | null,
) {
  const query = new URLSearchParams({
    $filter: receivedFrom(sinceMs),
    $orderby: 'receivedDateTime desc',
    $select: 'id,isDraft',
    $top: String(pageSize),
  });
  const found = parsedAnswer(provider, page, await get(accessToken, `messages${next ?? `?${query}`}`));
  const link = found['@odata.nextLink'];
  return { ids: idsOf(found), nextPage: link === undefined ? null : queryOf(link) };
}

function idsOf({ value }: z.output<typeof page>): string[] {
  return value.filter((one) => !one.isDraft && one['@removed'] === undefined).map(({ id }) => id);
}

/** The query of a link: its host and path are ours to choose, so that a token goes nowhere else. */
function queryOf(link: string): string {
  const url = URL.parse(link);
  if (url === null) throw new ProviderError('unknown', 'Microsoft named no position.');
  return url.search;
}
