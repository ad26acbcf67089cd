/** Builders of received mail, for tests that store it directly. */
import { now } from '../../lib/adapters/clock.ts';
import { newId } from '../../lib/adapters/ids.ts';
import type { EmailContent, EmailHead } from '../../lib/core/emails/email.ts';
import { noVerdicts } from '../../lib/core/emails/email.ts';
import { threadBegunBy, type WorkspaceId } from '../../lib/core/ids.ts';
import type { Write } from '../../lib/storage/table/transactions.ts';
import { createThread } from '../../lib/storage/threads/threads.ts';

/** The sender of stored mail. */
export const buyer = { name: null, address: 'ann@buyer.test' };
/** The message of a thread activity. */
export const fromBuyer = { direction: 'inbound' as const, from: buyer, to: [] };

/** Head of a received message that begins a thread, with a new id by default. */
export function storedHead(given: Partial<EmailHead> = {}): EmailHead {
  const id = given.id ?? newId('eml');
  const at = now();
  return {
    id,
    threadId: threadBegunBy(id),
    spaceId: null,
    status: 'received',
    from: buyer,
    to: [],
    others: [],
    subject: 'Order 7',
    snippet: '',
    category: null,
    suspicious: false,
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

/** The writes of the thread that an email begins. */
export function threadOf(workspaceId: WorkspaceId, head: EmailHead): Write[] {
  const { id: emailId, threadId: id, spaceId, subject, createdAt: at } = head;
  const thread = { id, spaceId, subject, mailbox: 'desk@own.test', forwardOf: null };
  const first = { ...fromBuyer, emailId, at, snippet: '', participants: [], mailboxes: [] };
  return createThread(workspaceId, thread, first);
}

/** Content with a text only. */
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
    verdicts: noVerdicts,
  };
}
