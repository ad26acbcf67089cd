/** Received mail as it lies in the table, for tests that need much of it or need it at once. */
import { now } from '../../lib/adapters/clock.ts';
import { newId } from '../../lib/adapters/ids.ts';
import type { EmailContent, EmailHead } from '../../lib/core/email.ts';

/** The sender of stored mail. */
export const buyer = { name: null, address: 'ann@buyer.test' };

/** Head of a received message; its id is a fresh one. */
export function storedHead(given: Partial<EmailHead> = {}): EmailHead {
  const id = given.id ?? newId('eml');
  const at = now();
  return {
    id,
    threadId: newId('thr'),
    spaceId: null,
    status: 'received',
    from: buyer,
    to: [],
    others: [],
    subject: 'Order 7',
    snippet: '',
    category: null,
    suppressionKey: null,
    messageId: `<${id}@buyer.test>`,
    inReplyTo: null,
    idempotencyKey: null,
    domainId: null,
    mailboxId: null,
    createdAt: at,
    scheduledAt: null,
    sentAt: null,
    revision: 1,
    ...given,
  };
}

/** Its content: a text and nothing else. */
export function storedContent(text: string): EmailContent {
  return {
    cc: [],
    bcc: [],
    replyTo: [],
    html: null,
    text,
    strippedText: null,
    strippedHtml: null,
    segments: [],
    references: [],
    headers: [],
    attachments: [],
    verdicts: { spam: null, spf: null, dkim: null, dmarc: null },
  };
}
