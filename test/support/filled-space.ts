/** A space with everything that may be stored for one, written through the stores. */
import { now } from '../../lib/adapters/clock.ts';
import { newId } from '../../lib/adapters/ids.ts';
import type { ObjectRef } from '../../lib/adapters/object-addresses.ts';
import { putObject } from '../../lib/adapters/objects.ts';
import type { Draft } from '../../lib/core/emails/draft.ts';
import { wireMessageId } from '../../lib/core/emails/message-ids.ts';
import type { EmailId, EndpointId, SpaceId, ThreadId, WorkspaceId } from '../../lib/core/ids.ts';
import { defaultPacing } from '../../lib/core/pacing/rule.ts';
import { newDelivery } from '../../lib/core/webhooks/delivery.ts';
import { env } from '../../lib/env.ts';
import { createDomain } from '../../lib/storage/domains/domains.ts';
import { recordAttachments, storeExtraction } from '../../lib/storage/emails/attachments.ts';
import { claimChunk } from '../../lib/storage/emails/chunks.ts';
import { replaceableContent } from '../../lib/storage/emails/draft-content.ts';
import { createDraft } from '../../lib/storage/emails/drafts.ts';
import { attachmentObject, storeContent } from '../../lib/storage/emails/email-content.ts';
import { createEmail } from '../../lib/storage/emails/email-heads.ts';
import {
  addEngagement,
  addReportedEngagement,
  takeEngagementNumber,
} from '../../lib/storage/emails/engagements.ts';
import { claimIdempotencyKey } from '../../lib/storage/emails/idempotency.ts';
import {
  indexFurtherId,
  indexMessageId,
  waitForMissingParents,
} from '../../lib/storage/emails/message-ids.ts';
import { claimReceived } from '../../lib/storage/emails/received.ts';
import { addToScheduleIndex } from '../../lib/storage/emails/schedule-index.ts';
import { storeBlocked } from '../../lib/storage/receiving/blocked-emails.ts';
import { createInboundRule } from '../../lib/storage/receiving/inbound-rules.ts';
import { suppressAll } from '../../lib/storage/sending/suppressions.ts';
import { commit } from '../../lib/storage/table/transactions.ts';
import { changeMarks } from '../../lib/storage/threads/thread-marks.ts';
import { addToThread, createThread, findThread } from '../../lib/storage/threads/threads.ts';
import { createDelivery } from '../../lib/storage/webhooks/deliveries.ts';
import { storeEvent } from '../../lib/storage/webhooks/events.ts';
import { addWaiting } from '../../lib/storage/webhooks/waiting-deliveries.ts';
import { domainEvent } from './events.ts';
import { incompressible } from './incompressible.ts';
import { mailboxOf, storeMailbox } from './mailbox.ts';
import { storedBlocked } from './stored-blocked.ts';
import { storedDomain } from './stored-domain.ts';
import { buyer, fromBuyer, storedContent, storedHead } from './stored-mail.ts';

export interface FilledSpace {
  readonly workspaceId: WorkspaceId;
  /** null: the workspace itself. */
  readonly spaceId: SpaceId | null;
  readonly endpointId: EndpointId;
  /** Distinguishes names, addresses and ids from those of other spaces. */
  readonly tag: string;
}

interface Owner {
  readonly emailId: EmailId;
  readonly threadId: ThreadId;
}

const large = incompressible(6000);
const wireId = (tag: string): string => wireMessageId('us-east-1', tag);

/** Fills a space with a domain, a thread of three emails, a suppression and an event with a pending delivery. */
export async function fillSpace(of: FilledSpace): Promise<void> {
  const { workspaceId, spaceId, endpointId, tag } = of;
  const event = await storeEvent(workspaceId, domainEvent({ spaceId }));
  const delivery = newDelivery(event, endpointId, now() + 3_600_000);
  await Promise.all([
    createDelivery(workspaceId, delivery),
    addWaiting(workspaceId, [delivery]),
    makeDomain(of),
    makeMailbox(of),
    makeBlocked(of),
    suppressAll(workspaceId, [`gone-${tag}@example.test`], {
      key: '*',
      spaceId,
      scope: 'all',
      reason: 'manual',
      sourceEmailId: null,
      note: null,
    }),
    storeConversation(of),
  ]);
}

async function makeDomain({ workspaceId, spaceId, tag }: FilledSpace): Promise<void> {
  const domain = storedDomain({ name: `${tag}.example`, wildcard: true, spaceId });
  await createDomain(workspaceId, domain, null, []);
  const subdomain = { ...domain, id: newId('dom'), name: `a.${domain.name}`, wildcard: false };
  await createDomain(workspaceId, { ...subdomain, parentId: domain.id }, null, []);
}

/** A connected mailbox with its credentials. */
async function makeMailbox({ workspaceId, spaceId, tag }: FilledSpace): Promise<void> {
  const address = `anna@${tag}.example`;
  const mailbox = mailboxOf({ id: newId('mbx'), provider: 'microsoft', address, spaceId });
  await storeMailbox(workspaceId, mailbox);
}

/** An inbound rule, and a message that it has blocked. */
async function makeBlocked({ workspaceId, spaceId, tag }: FilledSpace): Promise<void> {
  const pattern = `@${tag}.example`;
  const rule = { id: newId('rul'), spaceId, address: null, action: 'allow', pattern, note: null } as const;
  await createInboundRule(workspaceId, { ...rule, createdAt: now(), revision: 0 });
  const blocked = storedBlocked(spaceId, tag, await storeRaw(`mail/blocked-${tag}`));
  await storeBlocked(workspaceId, { ...blocked, ruleId: rule.id }, []);
}

async function storeConversation(of: FilledSpace): Promise<void> {
  const { workspaceId, spaceId, tag } = of;
  const threadId = newId('thr');
  const activity = (emailId: EmailId, at: number, mailbox: string) => ({
    emailId,
    at,
    snippet: 'Where is my order?',
    ...fromBuyer,
    participants: [buyer],
    mailboxes: [mailbox],
  });
  const [received, sent, scheduled] = [newId('eml'), newId('eml'), newId('eml')];
  const about = {
    id: threadId,
    spaceId,
    subject: `Order ${tag}`,
    mailbox: `hi@${tag}.example`,
    forwardOf: null,
  };
  const at = now();
  await storeDraft(of, threadId);
  await commit(workspaceId, createThread(workspaceId, about, activity(received, at, about.mailbox)));
  const thread = await findThread(workspaceId, threadId);
  if (!thread) throw new Error('the thread was not stored');
  const second = activity(sent, at + 1, `second@${tag}.example`);
  await commit(workspaceId, addToThread(workspaceId, thread, second));
  await markThread(workspaceId, threadId);
  const owner = (emailId: EmailId) => ({ emailId, threadId });
  const head = (id: EmailId) => storedHead({ id, threadId, spaceId });
  await Promise.all([
    storeReceived(of, received, owner(received)),
    storeSent(of, sent, owner(sent)),
    storeContent(workspaceId, scheduled, storedContent('Later')),
    commit(workspaceId, [
      ...createEmail(workspaceId, { ...head(scheduled), status: 'scheduled', scheduledAt: at + 9e8 }),
      addToScheduleIndex(workspaceId, scheduled, at + 9e8),
    ]),
  ]);
}

/** Puts a thread into every list of threads. */
async function markThread(workspaceId: WorkspaceId, threadId: ThreadId): Promise<void> {
  const thread = await findThread(workspaceId, threadId);
  if (!thread) throw new Error('the thread was not stored');
  const claim = { owner: 'worker-7', expiresAt: now() + 3_600_000 };
  await changeMarks(workspaceId, thread, { labels: ['billing', 'vip'], unread: true, claim });
}

async function storeDraft({ workspaceId, spaceId, tag }: FilledSpace, threadId: ThreadId): Promise<void> {
  const id = newId('eml');
  const file = { id: newId('att'), filename: 'a.txt', contentType: 'text/plain', size: 1, cid: null };
  await putObject(attachmentObject(workspaceId, id, file.id), Buffer.from('x'), 'text/plain');
  await recordAttachments(workspaceId, id, [{ ...file, extraction: null }]);
  const idempotencyKey = `draft-${tag}`;
  const draft: Draft = {
    ...storedHead({ id, threadId, spaceId }),
    status: 'draft',
    idempotencyKey,
    forwardOf: null,
    trackOpens: null,
    trackClicks: true,
    unsubscribe: false,
    pacing: defaultPacing,
    baseUrl: 'https://api.example.com',
    draft: { version: 1, draftedBy: null, editedBy: null, approvedBy: null, expiresAt: now() + 1e9 },
  };
  // What an edit that lost against another has left.
  await replaceableContent(workspaceId, id, storedContent(`${large} first`));
  await commit(workspaceId, [
    ...createDraft(workspaceId, draft),
    await replaceableContent(workspaceId, id, storedContent(large)),
    claimIdempotencyKey(workspaceId, spaceId, idempotencyKey, { emailId: id, hash: tag }),
  ]);
}

async function storeReceived(
  { workspaceId, spaceId, tag }: FilledSpace,
  id: EmailId,
  owner: Owner,
): Promise<void> {
  const messageId = `<answer@${tag}.example>`;
  const missing = [`<missing-1@${tag}.example>`, `<missing-2@${tag}.example>`];
  const files = ['ready', 'waiting'].map((name) => ({
    id: newId('att'),
    filename: `${name}.txt`,
    contentType: 'text/plain',
    size: 5,
    cid: null,
    extraction: null,
  }));
  const raw = await storeRaw(`mail/${tag}`);
  await recordAttachments(workspaceId, id, files);
  for (const file of files) {
    await putObject(attachmentObject(workspaceId, id, file.id), Buffer.from('Seven'), 'text/plain');
  }
  const text = { status: 'ready', format: 'text', pages: null, warnings: [], text: 'Seven' } as const;
  if (files[0]) await storeExtraction(workspaceId, id, files[0].id, text);
  const content = {
    ...storedContent(large),
    references: missing.slice(1),
    raw,
    arrival: { fingerprint: tag, inReplyTo: missing.slice(0, 1), isShared: false },
  };
  await storeContent(workspaceId, id, content);
  await commit(workspaceId, [
    ...createEmail(workspaceId, storedHead({ id, threadId: owner.threadId, spaceId, messageId })),
    claimReceived(workspaceId, spaceId, tag, id),
    indexMessageId(workspaceId, spaceId, messageId, owner),
    ...waitForMissingParents(workspaceId, spaceId, missing, { own: messageId, threadId: owner.threadId }),
  ]);
}

/** An object in the place of a raw message. */
export async function storeRaw(key: string): Promise<Required<ObjectRef>> {
  const region = env().DEFAULT_REGION;
  const bucket = env().CONTENT_BUCKET.replace(/-content-(\d+).*/, `-raw-mail-$1-${region}`);
  await putObject({ bucket, key, region }, Buffer.from('Subject: Hello\r\n\r\nHi'), 'message/rfc822');
  return { bucket, key, region };
}

const opened = { type: 'open', at: 0, url: null, userAgent: null, bot: false } as const;

async function storeSent(
  { workspaceId, spaceId, tag }: FilledSpace,
  id: EmailId,
  owner: Owner,
): Promise<void> {
  const chunk = {
    number: 0,
    of: 1,
    recipients: [buyer.address],
    state: 'accepted' as const,
    attempt: 1,
    claimedAt: now(),
    region: 'us-east-1',
    providerId: tag,
    messageId: null,
    reason: null,
    completedAt: null,
  };
  const idempotencyKey = `key-${tag}`;
  const head = storedHead({ id, threadId: owner.threadId, spaceId, status: 'sent', idempotencyKey });
  await takeEngagementNumber(workspaceId, id);
  await storeContent(workspaceId, id, storedContent('Hello'));
  await commit(workspaceId, [
    ...createEmail(workspaceId, { ...head, messageId: `<${id}@${tag}.example>` }),
    claimIdempotencyKey(workspaceId, spaceId, idempotencyKey, { emailId: id, hash: tag }),
    claimChunk(workspaceId, id, chunk, null),
    indexMessageId(workspaceId, spaceId, wireId(tag), owner),
    ...indexFurtherId(workspaceId, spaceId, wireId(`${tag}-again`), owner),
    addEngagement(workspaceId, id, 1, opened),
    addReportedEngagement(workspaceId, id, 1, tag),
  ]);
}
