/** Mail that a Google mailbox sends. */
import * as z from 'zod';
import { ProviderError, type ProviderMail } from '../../../core/mailboxes/provider.ts';
import { messageBounds } from '../http.ts';
import { orNull, parsedAnswer } from '../parsed-answer.ts';
import { type GmailCalls, listPage, messagePath, provider } from './gmail-calls.ts';

/** Sent messages in which an unknown outcome is looked up. */
const sentSearched = 300;

const metadata = z.object({
  payload: z
    .object({ headers: z.array(z.object({ name: z.string(), value: z.string() })).default([]) })
    .default({ headers: [] }),
});
const sentMessage = z.object({ id: z.string(), threadId: z.string() });

export function gmailSending({
  get,
  upload,
}: Pick<GmailCalls, 'get' | 'upload'>): Pick<ProviderMail, 'send' | 'findSent'> {
  return {
    async send(accessToken, raw, threadId) {
      // A multipart upload takes the message as it is, up to 35 MB, beside its thread ("Uploading attachments", Gmail API).
      const boundary = `parley-${threadId ?? 'new'}-${raw.length}`;
      const answer = await upload(
        accessToken,
        'messages/send?uploadType=multipart',
        {
          contentType: `multipart/related; boundary="${boundary}"`,
          content: relatedParts(boundary, threadId === null ? {} : { threadId }, raw),
        },
        { ...messageBounds, bytesMax: 1_000_000 },
      );
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
  };
}

/** Whether a message is ours: by its Message-ID, or by the end of its References. */
function namesId({ payload }: z.output<typeof metadata>, messageId: string): boolean {
  return payload.headers.some(({ value }) => value.trim().endsWith(messageId));
}

function relatedParts(boundary: string, metadata: object, raw: Buffer): Uint8Array<ArrayBuffer> {
  const head = `--${boundary}\r\nContent-Type: application/json; charset=UTF-8\r\n\r\n${JSON.stringify(metadata)}\r\n--${boundary}\r\nContent-Type: message/rfc822\r\n\r\n`;
  return Buffer.concat([Buffer.from(head), raw, Buffer.from(`\r\n--${boundary}--\r\n`)]);
}
