/** A workspace full of the mail of one person, written as the stores write it. */
import { now } from '../../lib/adapters/clock.ts';
import { newId } from '../../lib/adapters/ids.ts';
import { putObject } from '../../lib/adapters/objects.ts';
import { type EmailHead, noVerdicts } from '../../lib/core/emails/email.ts';
import { type EndpointId, type ThreadId, threadBegunBy, type WorkspaceId } from '../../lib/core/ids.ts';
import type { OutboxMessage, PublishEvent } from '../../lib/core/queue-messages.ts';
import { newDelivery } from '../../lib/core/webhooks/delivery.ts';
import { eventExpiry } from '../../lib/core/webhooks/event.ts';
import { each } from '../../lib/core/work/all-done.ts';
import { env } from '../../lib/env.ts';
import type { Cloud } from '../../lib/local/index.ts';
import { newEvent } from '../../lib/services/events/new-event.ts';
import { createEndpoint } from '../../lib/services/webhooks/endpoints.ts';
import { recordAttachments } from '../../lib/storage/emails/attachments.ts';
import { attachmentObject, storeContent } from '../../lib/storage/emails/email-content.ts';
import { createEmail } from '../../lib/storage/emails/email-heads.ts';
import { claimIdempotencyKey } from '../../lib/storage/emails/idempotency.ts';
import { claimReceived } from '../../lib/storage/emails/received.ts';
import { suppressAll } from '../../lib/storage/sending/suppressions.ts';
import { commit } from '../../lib/storage/table/transactions.ts';
import { createThread } from '../../lib/storage/threads/threads.ts';
import { createDelivery } from '../../lib/storage/webhooks/deliveries.ts';
import { storeEvent } from '../../lib/storage/webhooks/events.ts';
import { incompressible } from '../../test/support/incompressible.ts';
import { divertPuts, putItems } from './diverted-writes.ts';

export const person = 'anna@person.example';
const desk = 'desk@own.example';
const other = 'ben@elsewhere.example';

/** How much there is. */
export interface Mail {
  /** Of the person. */
  readonly emails: number;
  /** Of these, in one thread. */
  readonly inOneThread: number;
  /** Of others, which stay. */
  readonly others: number;
}

/** The parts that an erasure of N emails is measured with. */
export const mailOf = (emails: number): Mail => ({
  emails,
  inOneThread: Math.floor(emails / 10),
  others: Math.floor(emails / 5),
});

const emailsOfThread = 5;
/** Of so many emails one has a file, and one has content in the bucket. */
const largeEvery = 10;
const scheduledEvery = 200;
/** Threads whose items are gathered before they are put. */
const threadsAtOnce = 100;
const large = incompressible(6000);

interface Place {
  readonly workspaceId: WorkspaceId;
  readonly endpointId: EndpointId;
}

/** Fills a workspace. @param progress takes the number of emails that are stored, every 5,000 or so */
export async function fill(
  cloud: Pick<Cloud, 'dynamoDb'>,
  workspaceId: WorkspaceId,
  mail: Mail,
  progress: (emails: number) => void,
): Promise<void> {
  const endpointId = await endpointOf(workspaceId);
  const place = { workspaceId, endpointId };
  const threads = [
    { size: mail.inOneThread, with: person },
    ...threadsOf(mail.emails - mail.inOneThread, person),
    ...threadsOf(mail.others, other),
  ];
  let stored = 0;
  for (let start = 0; start < threads.length; start += threadsAtOnce) {
    const some = threads.slice(start, start + threadsAtOnce);
    const items = await divertPuts(() => each(some, 10, (thread) => storeThread(place, thread)));
    await putItems(cloud.dynamoDb, env().TABLE_NAME, items);
    stored += some.reduce((sum, { size }) => sum + size, 0);
    if (start % (10 * threadsAtOnce) === 0) progress(stored);
  }
  const about = { key: '*', scope: 'all', reason: 'manual', sourceEmailId: null, note: null } as const;
  await suppressAll(workspaceId, [person, other], { ...about, spaceId: null });
}

async function endpointOf(workspaceId: WorkspaceId): Promise<EndpointId> {
  const settings = { url: 'https://hooks.example/', routing: [], enabled: false, maxConcurrency: 1 };
  const { endpoint } = await createEndpoint(workspaceId, { ...settings, subscriptions: ['email.sent'] });
  return endpoint.id;
}

interface ThreadOf {
  readonly size: number;
  /** The address of the other side. */
  readonly with: string;
}

function threadsOf(emails: number, address: string): ThreadOf[] {
  const sizes = Array.from({ length: Math.ceil(emails / emailsOfThread) }, (_, at) =>
    Math.min(emailsOfThread, emails - at * emailsOfThread),
  );
  return sizes.map((size) => ({ size, with: address }));
}

let made = 0;

/** A thread of received and sent emails in turn. */
async function storeThread(place: Place, { size, with: address }: ThreadOf): Promise<void> {
  const { workspaceId } = place;
  const numbers = Array.from({ length: size }, () => ++made);
  const first = newId('eml');
  const threadId = threadBegunBy(first);
  const at = now();
  const subject = `Order ${made}`;
  const thread = { id: threadId, spaceId: null, subject, mailbox: desk, forwardOf: null };
  const buyer = { name: null, address };
  const activity = { direction: 'inbound' as const, from: buyer, to: [], emailId: first, at, snippet: '' };
  const [own, ...lists] = createThread(workspaceId, thread, {
    ...activity,
    participants: [buyer],
    mailboxes: [desk],
  });
  if (!own || !('put' in own)) throw new Error('the store creates a thread by something else than a put');
  await commit(workspaceId, [{ ...own, put: { ...own.put, messageCount: size } }, ...lists]);
  await each([...numbers.entries()], 10, ([position, number]) =>
    storeEmail(place, { number, id: position === 0 ? first : newId('eml'), threadId, subject, address }),
  );
}

interface EmailOf {
  readonly number: number;
  readonly id: EmailHead['id'];
  readonly threadId: ThreadId;
  readonly subject: string;
  readonly address: string;
}

async function storeEmail({ workspaceId, endpointId }: Place, email: EmailOf): Promise<void> {
  const { number, id } = email;
  const isReceived = number % 2 === 1;
  const head = headOf(email, isReceived);
  const isLarge = number % largeEvery === 0;
  const fingerprint = `f-${id}`;
  const content = {
    ...{ cc: [], bcc: [], replyTo: [], strippedText: null, strippedHtml: null, segments: [], references: [] },
    ...{ headers: [], attachments: [], verdicts: noVerdicts, html: null },
    text: `Where is order ${number}?${isLarge ? large : ''}`,
    // One mail goes to a hundred people.
    ...(number === 2 && { cc: crowd }),
    ...(isReceived && { raw: await storeRaw(id), arrival: { fingerprint, inReplyTo: [], isShared: false } }),
  };
  await storeContent(
    workspaceId,
    id,
    isLarge ? { ...content, attachments: [await storeFile(workspaceId, id)] } : content,
  );
  const types = isReceived ? (['email.received'] as const) : (['email.sent', 'email.delivered'] as const);
  const messages: OutboxMessage[] = [];
  for (const type of types) {
    messages.push({ message: await storePublished({ workspaceId, endpointId }, email, type) });
  }
  await commit(
    workspaceId,
    [
      ...createEmail(workspaceId, head),
      ...(isReceived
        ? [claimReceived(workspaceId, null, fingerprint, id)]
        : [claimIdempotencyKey(workspaceId, null, String(head.idempotencyKey), { emailId: id, hash: 'h' })]),
    ],
    messages,
  );
}

function headOf({ number, id, threadId, subject, address }: EmailOf, isReceived: boolean): EmailHead {
  const [them, us] = [
    { name: null, address },
    { name: null, address: desk },
  ];
  const isScheduled = !isReceived && number % scheduledEvery === 0;
  const at = now();
  return {
    ...{ id, threadId, subject, spaceId: null, others: [], snippet: `Where is order ${number}?` },
    status: isReceived ? 'received' : isScheduled ? 'scheduled' : 'delivered',
    from: isReceived ? them : us,
    to: [isReceived ? us : them],
    ...{
      category: null,
      suspicious: false,
      suppressionKey: null,
      inReplyTo: null,
      domainId: null,
      mailboxId: null,
    },
    messageId: `<${id}@own.example>`,
    idempotencyKey: isReceived ? null : `key-${id}`,
    createdAt: at,
    scheduledAt: isScheduled ? at + 86_400_000 : null,
    sentAt: isReceived || isScheduled ? null : at,
    revision: 1,
  };
}

const crowd = Array.from({ length: 99 }, (_, at) => ({ name: null, address: `guest-${at}@party.example` }));

async function storeRaw(id: EmailHead['id']) {
  const region = env().DEFAULT_REGION;
  const bucket = env().CONTENT_BUCKET.replace(/-content-(\d+).*/, `-raw-mail-$1-${region}`);
  const raw = { bucket, key: `mail/${id}`, region };
  await putObject(raw, Buffer.from(`From: ${person}\r\n\r\nWhere is it?`), 'message/rfc822');
  return raw;
}

async function storeFile(workspaceId: WorkspaceId, emailId: EmailHead['id']) {
  const file = { id: newId('att'), filename: 'a.txt', contentType: 'text/plain', size: 5, cid: null };
  await recordAttachments(workspaceId, emailId, [{ ...file, extraction: null }]);
  await putObject(attachmentObject(workspaceId, emailId, file.id), Buffer.from('Seven'), 'text/plain');
  return file;
}

/** An event of the email, delivered to the endpoint, with the message that announced it. */
async function storePublished(
  { workspaceId, endpointId }: Place,
  { id: emailId, threadId, address }: EmailOf,
  type: 'email.received' | 'email.sent' | 'email.delivered',
): Promise<PublishEvent> {
  const message = newEvent(workspaceId, type, now(), { emailId });
  const { eventId: id, at } = message;
  const data = { email_id: emailId, thread_id: threadId, from: address, to: [address], subject: 'Order' };
  const event = {
    ...{ id, type, createdAt: at, spaceId: null, subject: { emailId }, expiresAt: eventExpiry(id, 30) },
    body: JSON.stringify({ id, type, created_at: new Date(at).toISOString(), space_id: null, data }),
  };
  await storeEvent(workspaceId, event);
  const delivery = newDelivery(event, endpointId, at);
  await createDelivery(workspaceId, { ...delivery, state: 'delivered', nextAttemptAt: null });
  return message;
}
