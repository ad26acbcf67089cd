/**
 * Mail of a Microsoft mailbox by Microsoft Graph, version 1.0 ("Use the Outlook mail REST API").
 *
 * Changes are delta queries of the inbox and of Sent Items ("Get incremental changes to messages in a folder"). Rules move
 * mail to other folders before anybody sees it, and a delta query is one of a single folder. So each round also lists the
 * messages of all folders by the time they were received.
 */
import * as z from 'zod';
import { ProviderError, type ProviderFailure, type ProviderMail } from '../../../core/mailboxes/provider.ts';
import { now } from '../../clock.ts';
import { callForJson, callProvider, messageBounds } from '../http.ts';
import { orNull, parsedAnswer, parsedCursor, timestamp } from '../parsed-answer.ts';
import { isLeftOut, isSentItems } from './folders.ts';

const provider = 'Microsoft';

/**
 * Codes that decide before the status ("Error responses and resource types" of Microsoft Graph; "Use delta query to track
 * changes", synchronization reset; "Throttling guidance").
 */
const failures: Readonly<Record<string, ProviderFailure>> = {
  syncStateNotFound: 'not_found',
  SyncStateNotFound: 'not_found',
  syncStateInvalid: 'not_found',
  SyncStateInvalid: 'not_found',
  resyncRequired: 'not_found',
  ErrorItemNotFound: 'not_found',
  ApplicationThrottled: 'throttled',
  activityLimitReached: 'throttled',
  TooManyRequests: 'throttled',
  ErrorAccessDenied: 'unauthorized',
  Authorization_RequestDenied: 'unauthorized',
  MailboxNotEnabledForRESTAPI: 'unauthorized',
};

/** Ids that stay when a message is moved, and when a draft is sent ("Get immutable identifiers for Outlook resources"). */
const immutableIds = 'IdType="ImmutableId"';
const pageSize = 100;
/** A message may become visible later than its time of reception says. */
const overlapMs = 10 * 60_000;
/** The most is just under seven days ("subscription resource type", subscription lifetime of Outlook messages). */
const subscriptionMs = 6 * 86_400_000;

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
const messageFields = z.object({
  id: z.string(),
  conversationId: z.string(),
  parentFolderId: z.string(),
  isDraft: z.boolean(),
  receivedDateTime: timestamp,
});
const sentMessages = z.object({
  value: z.array(z.object({ id: z.string(), conversationId: z.string(), isDraft: z.boolean() })),
});
const subscription = z.object({ id: z.string(), expirationDateTime: timestamp });

/** The mail half of the provider. @param base of Microsoft Graph, without version or final slash */
export function graphAt(base: string): ProviderMail {
  const { urlOf, subscriptionUrl, get } = callsTo(base);
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

    async fetchMessage(accessToken, id) {
      const select = 'id,conversationId,parentFolderId,isDraft,receivedDateTime';
      const answer = await orNull(get(accessToken, `${messagePath(id)}?$select=${select}`));
      if (answer === null) return null;
      const message = parsedAnswer(provider, messageFields, answer);
      const { parentFolderId: folderId } = message;
      const folder = (name: string) => orNull(get(accessToken, `mailFolders/${name}?$select=id`));
      if (message.isDraft || (await isLeftOut(folder, folderId))) return null;
      const raw = await orNull(
        callProvider({
          provider,
          failures,
          method: 'GET',
          url: urlOf(`${messagePath(id)}/$value`),
          accessToken,
          headers: { prefer: immutableIds },
          bounds: messageBounds,
        }),
      );
      return (
        raw && {
          id: message.id,
          threadId: message.conversationId,
          raw,
          receivedAt: message.receivedDateTime,
          isSent: await isSentItems(folder, folderId),
        }
      );
    },

    /**
     * In one call, which needs no permission to change mail. It answers nothing: the copy in Sent Items tells the ids.
     * Exchange sends MIME "more or less intact", with our Message-ID and References ("Overview of the Microsoft Graph send
     * mail process"), from which it derives the conversation.
     */
    async send(accessToken, raw) {
      await callProvider({
        provider,
        failures,
        method: 'POST',
        url: urlOf('sendMail'),
        accessToken,
        body: { contentType: 'text/plain', content: raw.toString('base64') },
        bounds: { ...messageBounds, bytesMax: 100_000 },
      });
      return { id: null, threadId: null };
    },

    async findSent(accessToken, messageId) {
      const filter = new URLSearchParams({
        $filter: `internetMessageId eq '${messageId.replaceAll("'", "''")}'`,
        $select: 'id,conversationId,isDraft',
      });
      const answer = await get(accessToken, `messages?${filter}`);
      const { value } = parsedAnswer(provider, sentMessages, answer);
      const sent = value.find(({ isDraft }) => !isDraft);
      if (sent) return { id: sent.id, threadId: sent.conversationId };
      // Exchange keeps it as a draft until its transport has taken it.
      if (value.length > 0) throw new ProviderError('unknown', 'Microsoft is still sending the message.');
      return null;
    },

    async subscribe(accessToken, _client, current, { url, secret }) {
      const expirationDateTime = new Date(now() + subscriptionMs).toISOString();
      const renewed =
        current?.id != null &&
        (await orNull(
          callForJson({
            provider,
            failures,
            method: 'PATCH',
            url: subscriptionUrl(current.id),
            accessToken,
            body: { expirationDateTime },
          }),
        ));
      const answer =
        renewed ||
        (await callForJson({
          provider,
          failures,
          method: 'POST',
          url: subscriptionUrl(null),
          accessToken,
          body: {
            changeType: 'created',
            notificationUrl: url,
            lifecycleNotificationUrl: url,
            resource: 'me/messages',
            expirationDateTime,
            clientState: secret,
          },
        }));
      const { id, expirationDateTime: until } = parsedAnswer(provider, subscription, answer);
      return { id, expiresAt: until };
    },

    async unsubscribe(accessToken, { id }) {
      if (id === null) return;
      await orNull(
        callProvider({ provider, failures, method: 'DELETE', url: subscriptionUrl(id), accessToken }),
      );
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
  get: Get,
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

async function nextOfAll(get: Get, accessToken: string, all: Cursor['all'], startedAt: number) {
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
async function receivedSince(get: Get, accessToken: string, sinceMs: number, next: string | null) {
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

const messagePath = (id: string): string => `messages/${encodeURIComponent(id)}`;

/** Calls below the mailbox of the token. */
function callsTo(base: string) {
  const urlOf = (path: string): string => `${base}/v1.0/me/${path}`;
  const prefer = `${immutableIds}, odata.maxpagesize=${pageSize}`;
  return {
    urlOf,
    /** @param id null: all */
    subscriptionUrl: (id: string | null): string =>
      `${base}/v1.0/subscriptions${id === null ? '' : `/${encodeURIComponent(id)}`}`,
    get: (accessToken: string, path: string): Promise<unknown> =>
      callForJson({ provider, failures, method: 'GET', url: urlOf(path), accessToken, headers: { prefer } }),
  };
}
type Get = ReturnType<typeof callsTo>['get'];
