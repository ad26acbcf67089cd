/** Mail of a Google mailbox by the Gmail API, version 1 ("REST Resource: users.messages" and others, Gmail API reference). */
import * as z from 'zod';
import {
  type Changes,
  ProviderError,
  type ProviderFailure,
  type ProviderMail,
  type PushSubscription,
} from '../../../core/mailboxes/provider.ts';
import { callForJson, type HttpBounds, messageBounds } from '../http.ts';
import { milliseconds, orNull, parsedAnswer, parsedCursor } from '../parsed-answer.ts';

const provider = 'Google';

/**
 * Reasons that decide before the status ("Resolve errors", Gmail API). The quotas of a project and of a user are both
 * throttling; a policy of the organization and missing permissions end the authorization.
 */
const failures: Readonly<Record<string, ProviderFailure>> = {
  rateLimitExceeded: 'throttled',
  userRateLimitExceeded: 'throttled',
  dailyLimitExceeded: 'throttled',
  quotaExceeded: 'throttled',
  domainPolicy: 'unauthorized',
  insufficientPermissions: 'unauthorized',
  // The mailbox is switched off: "Mail service not enabled".
  failedPrecondition: 'unauthorized',
};
/**
 * As above, but of a watch: a mailbox has one push client for each project ("Only one user push notification client allowed
 * per developer"), so another topic is refused until the watch of the first one ends.
 */
const watchFailures: typeof failures = { ...failures, failedPrecondition: 'refused' };

/** System labels of messages that are left out ("Manage labels", Gmail API). */
const leftOut: readonly string[] = ['DRAFT', 'SPAM', 'TRASH', 'CHAT'];
/** Sent messages in which an unknown outcome is looked up. */
const sentSearched = 300;
/** Of a page; the most that the API allows. */
const pageSize = 500;

const messageRef = z.object({ id: z.string(), labelIds: z.array(z.string()).default([]) });
const profile = z.object({ historyId: z.string() });
const historyPage = z.object({
  history: z
    .array(
      z.object({
        messagesAdded: z.array(z.object({ message: messageRef })).default([]),
        labelsRemoved: z
          .array(z.object({ message: messageRef, labelIds: z.array(z.string()).default([]) }))
          .default([]),
      }),
    )
    .default([]),
  nextPageToken: z.string().optional(),
  historyId: z.string(),
});
const listPage = z.object({
  messages: z.array(z.object({ id: z.string(), threadId: z.string() })).default([]),
  nextPageToken: z.string().optional(),
});
const rawMessage = messageRef.extend({
  threadId: z.string(),
  internalDate: milliseconds,
  raw: z.string(),
});
const metadata = z.object({
  payload: z
    .object({ headers: z.array(z.object({ name: z.string(), value: z.string() })).default([]) })
    .default({ headers: [] }),
});
const sentMessage = z.object({ id: z.string(), threadId: z.string() });
const watch = z.object({ expiration: milliseconds });

/** A position: a history id, and the page after it while a round goes on. */
const cursorSchema = z.strictObject({ historyId: z.string(), page: z.string().nullable() });

/** The mail half of the provider. @param base of the Gmail API, without a final slash */
export function gmailAt(base: string): ProviderMail {
  const { get, post } = callsTo(base);
  return {
    async currentCursor(accessToken) {
      const { historyId } = parsedAnswer(provider, profile, await get(accessToken, 'profile'));
      return JSON.stringify({ historyId, page: null });
    },

    async changesSince(accessToken, cursor) {
      const { historyId, page } = parsedCursor(provider, cursorSchema, cursor);
      const found = parsedAnswer(
        provider,
        historyPage,
        await get(accessToken, 'history', {
          startHistoryId: historyId,
          // A message that is taken out of spam or trash has been received as well.
          historyTypes: ['messageAdded', 'labelRemoved'],
          maxResults: pageSize,
          ...(page !== null && { pageToken: page }),
        }),
      );
      return changesOf(historyId, found);
    },

    async listSince(accessToken, sinceMs, page) {
      const found = parsedAnswer(
        provider,
        listPage,
        await get(accessToken, 'messages', {
          // Seconds since 1970 are taken for a time, dates for midnight in the zone of the server ("List Gmail messages").
          q: `after:${Math.floor(sinceMs / 1000)} -in:drafts -in:chats`,
          maxResults: pageSize,
          ...(page !== null && { pageToken: page }),
        }),
      );
      return { found: found.messages.map(({ id }) => ({ id })), nextPage: found.nextPageToken ?? null };
    },

    async fetchMessage(accessToken, id) {
      const answer = await orNull(get(accessToken, messagePath(id), { format: 'raw' }, messageBounds));
      if (answer === null) return null;
      const message = parsedAnswer(provider, rawMessage, answer);
      if (message.labelIds.some((label) => leftOut.includes(label))) return null;
      return {
        id: message.id,
        threadId: message.threadId,
        raw: Buffer.from(message.raw, 'base64url'),
        receivedAt: message.internalDate,
        isSent: message.labelIds.includes('SENT'),
      };
    },

    async send(accessToken, raw, threadId) {
      // A multipart upload takes the message as it is, up to 35 MB, beside its thread ("Uploading attachments", Gmail API).
      const boundary = `parley-${threadId ?? 'new'}-${raw.length}`;
      const answer = await callForJson({
        provider,
        failures,
        method: 'POST',
        url: `${base}/upload/gmail/v1/users/me/messages/send?uploadType=multipart`,
        accessToken,
        body: {
          contentType: `multipart/related; boundary="${boundary}"`,
          content: relatedParts(boundary, threadId === null ? {} : { threadId }, raw),
        },
        bounds: { ...messageBounds, bytesMax: 1_000_000 },
      });
      return parsedAnswer(provider, sentMessage, answer);
    },

    /**
     * Gmail replaces the Message-ID of what its API sends, without a copy (docs/local-cloud.md#google), so that
     * `rfc822msgid:` finds nothing. The References of our messages end with our id, and Gmail keeps them.
     */
    async findSent(accessToken, messageId, sinceMs) {
      const q = `in:sent after:${Math.floor(sinceMs / 1000)}`;
      const answer = await get(accessToken, 'messages', { q, maxResults: sentSearched });
      const { messages, nextPageToken } = parsedAnswer(provider, listPage, answer);
      for (const { id, threadId } of messages) {
        const found = await orNull(
          get(accessToken, messagePath(id), {
            format: 'metadata',
            metadataHeaders: ['Message-ID', 'References'],
          }),
        );
        if (found !== null && namesId(parsedAnswer(provider, metadata, found), messageId))
          return { id, threadId };
      }
      if (nextPageToken === undefined) return null;
      throw new ProviderError('unknown', 'The mailbox has sent too many messages since to look for one.');
    },

    async subscribe(accessToken, { pubsubTopic }) {
      if (pubsubTopic === null) return null;
      const answer = await post(
        accessToken,
        'watch',
        { topicName: pubsubTopic, labelIds: ['DRAFT', 'SPAM', 'TRASH'], labelFilterBehavior: 'exclude' },
        watchFailures,
      );
      return { id: null, expiresAt: parsedAnswer(provider, watch, answer).expiration };
    },

    async unsubscribe(accessToken, _current: PushSubscription) {
      await orNull(post(accessToken, 'stop', {}));
    },
  };
}

/** A page of history records; a round of several pages ends at the history id of its last one. */
function changesOf(startHistoryId: string, found: z.output<typeof historyPage>): Changes {
  const added = found.history.flatMap(({ messagesAdded, labelsRemoved }) => [
    ...messagesAdded.map(({ message }) => message),
    ...labelsRemoved
      .filter(({ labelIds }) => labelIds.some((label) => label === 'SPAM' || label === 'TRASH'))
      .map(({ message }) => message),
  ]);
  const kept = added.filter(({ labelIds }) => !labelIds.some((label) => leftOut.includes(label)));
  const page = found.nextPageToken ?? null;
  const historyId = page === null ? found.historyId : startHistoryId;
  return {
    added: [...new Set(kept.map(({ id }) => id))].map((id) => ({ id })),
    cursor: JSON.stringify({ historyId, page }),
    isLast: page === null,
  };
}

/** Whether a message is ours: by its Message-ID, or by the end of its References. */
function namesId({ payload }: z.output<typeof metadata>, messageId: string): boolean {
  return payload.headers.some(({ value }) => value.trim().endsWith(messageId));
}

const messagePath = (id: string): string => `messages/${encodeURIComponent(id)}`;

function relatedParts(boundary: string, metadata: object, raw: Buffer): Uint8Array<ArrayBuffer> {
  const head = `--${boundary}\r\nContent-Type: application/json; charset=UTF-8\r\n\r\n${JSON.stringify(metadata)}\r\n--${boundary}\r\nContent-Type: message/rfc822\r\n\r\n`;
  return Buffer.concat([Buffer.from(head), raw, Buffer.from(`\r\n--${boundary}--\r\n`)]);
}

type Parameters = Readonly<Record<string, string | number | boolean | readonly string[]>>;

/** Calls below the mailbox of the token. */
function callsTo(base: string) {
  const urlOf = (path: string): URL => new URL(`${base}/gmail/v1/users/me/${path}`);
  return {
    get(
      accessToken: string,
      path: string,
      parameters: Parameters = {},
      bounds?: HttpBounds,
    ): Promise<unknown> {
      const url = urlOf(path);
      for (const [name, value] of Object.entries(parameters)) {
        for (const one of Array.isArray(value) ? value : [value]) url.searchParams.append(name, String(one));
      }
      return callForJson({ provider, failures, method: 'GET', url, accessToken, ...(bounds && { bounds }) });
    },
    post: (accessToken: string, path: string, body: object, meanings = failures): Promise<unknown> =>
      callForJson({ provider, failures: meanings, method: 'POST', url: urlOf(path), accessToken, body }),
  };
}
