/** Workspaces of a given size, filled through the stores: for tests that the size does not matter. */
import { BatchWriteCommand } from '@aws-sdk/lib-dynamodb';
import { now } from '../../lib/adapters/clock.ts';
import { newId } from '../../lib/adapters/ids.ts';
import type { SendingDomain } from '../../lib/core/domains/sending-domain.ts';
import type {
  AttachmentId,
  DomainId,
  EmailId,
  EndpointId,
  EventId,
  MailboxId,
  OauthAppId,
  ThreadId,
} from '../../lib/core/ids.ts';
import { newDelivery } from '../../lib/core/webhooks/delivery.ts';
import { env } from '../../lib/env.ts';
import { createKey } from '../../lib/services/api-keys/api-keys.ts';
import { sealClientSecret } from '../../lib/services/mailboxes/sealed-tokens.ts';
import { createSpace } from '../../lib/services/spaces/spaces.ts';
import { createSuppressions } from '../../lib/services/suppressions/suppressions.ts';
import { createEndpoint } from '../../lib/services/webhooks/endpoints.ts';
import { createDomain } from '../../lib/storage/domains/domains.ts';
import { recordAttachments, storeExtraction } from '../../lib/storage/emails/attachments.ts';
import { storeContent } from '../../lib/storage/emails/email-content.ts';
import { createEmail } from '../../lib/storage/emails/email-heads.ts';
import { addEngagement } from '../../lib/storage/emails/engagements.ts';
import { connectNewMailbox } from '../../lib/storage/mailboxes/mailboxes.ts';
import { createApp } from '../../lib/storage/mailboxes/oauth-apps.ts';
import type { Item } from '../../lib/storage/table/table.ts';
import { client } from '../../lib/storage/table/table-client.ts';
import type { Write } from '../../lib/storage/table/transactions.ts';
import { createThread } from '../../lib/storage/threads/threads.ts';
import { createDelivery } from '../../lib/storage/webhooks/deliveries.ts';
import { storeEvent } from '../../lib/storage/webhooks/events.ts';
import { domainEvent } from './events.ts';
import { mailboxOf } from './mailbox.ts';
import { storedDomain } from './stored-domain.ts';
import { buyer, fromBuyer, storedContent, storedHead } from './stored-mail.ts';
import { type TestWorkspace, workspace } from './workspace.ts';

export interface FilledWorkspace extends TestWorkspace {
  /** The address on our side of every thread. */
  readonly mailbox: string;
  /** Ids of one resource of each kind, by path parameter. */
  readonly ids: Readonly<Record<string, string>>;
  /** Ids of a second resource of each kind, to be deleted. */
  readonly spare: Readonly<Record<string, string>>;
  /** The thread with all messages but three. */
  readonly longThread: ThreadId;
  /** A wildcard with two subdomains. */
  readonly wildcard: DomainId;
}

/** The thread to forward: three messages, the first with a prepared file. */
const shortThreadLength = 3;

/**
 * Creates a workspace.
 *
 * @param of.messages messages of one thread; another thread has three more
 * @param of.others number of resources of every other kind
 */
export async function filledWorkspace(of: { messages: number; others: number }): Promise<FilledWorkspace> {
  const own = await workspace();
  const mailbox = `support@${own.providedDomain}`;
  const several = <T>(make: (at: number) => Promise<T>) =>
    inGroups(
      Array.from({ length: of.others }, (_, at) => at),
      make,
    );
  const longThread = newId('thr');
  const shortThread = newId('thr');
  const [spaces, keys, domains, endpoints, suppressions, wildcard, attachments] = await Promise.all([
    several((at) => createSpace(own.id, { name: `Space ${at}`, externalId: null })),
    several((at) => createKey(own.id, { name: `Key ${at}`, scope: 'read' })),
    several((at) => makeDomain(own, { name: `d${at}.${own.slug}.example` })),
    several(() => createEndpoint(own.id, settings)),
    createSuppressions(
      own.id,
      Array.from({ length: of.others }, (_, at) => `person-${at}@example.test`),
      { key: '*', spaceId: null, scope: 'all', note: null },
    ),
    makeWildcard(own),
    storeMessages(own, shortThread, shortThreadLength, of.others),
    storeMessages(own, longThread, of.messages, 0),
    putAll(
      [longThread, shortThread, ...Array.from({ length: of.others }, () => newId('thr'))].flatMap((id) =>
        threadWrites(own, id, mailbox),
      ),
    ),
  ]);
  const endpointId = endpoints[0]?.endpoint.id ?? newId('whk');
  const sealedSecret = await sealClientSecret(own.id, 'secret');
  const apps = await several((at) => makeApp(own, `${own.slug.slice(0, 50)}-app-${at}`, sealedSecret));
  const mailboxes = await several((at) => makeMailbox(own, `person-${at}@${own.slug}.example`));
  const [eventId = ''] = await several(() => makeDelivery(own, endpointId));
  const [attachment] = attachments;
  /** Ids of the resources that exist several times. */
  const idsAt = (at: number) => ({
    space_id: spaces[at]?.id ?? '',
    key_id: keys[at]?.key.id ?? '',
    domain_id: domains[at] ?? '',
    app_id: apps[at] ?? '',
    mailbox_id: mailboxes[at] ?? '',
    endpoint_id: endpoints[at]?.endpoint.id ?? '',
    suppression_id: suppressions[at]?.id ?? '',
  });
  return {
    ...own,
    mailbox,
    longThread,
    wildcard,
    ids: {
      ...idsAt(0),
      email_id: attachment?.emailId ?? '',
      thread_id: shortThread,
      attachment_id: attachment?.id ?? '',
      event_id: eventId,
      ...v1Ids({ domain_id: domains[0] ?? '', email_id: attachment?.emailId ?? '', thread_id: shortThread }),
    },
    // Deleting by either interface needs a domain of its own.
    spare: { ...idsAt(1), ...v1Ids({ domain_id: domains[2] ?? '' }) },
  };
}

/** The same ids under the names of version 1: `email_id` is `emailId`. */
function v1Ids(ids: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(ids).map(([name, id]) => [name.replace('_id', 'Id'), id]));
}

const appSettings = (slug: string) => ({
  provider: 'google' as const,
  slug,
  name: 'Acme Mail',
  clientId: 'client-1',
  ...{ tenant: null, pubsubTopic: null, accent: null, tagline: null, supportEmail: null, logoUrl: null },
  returnUrls: [],
});

const settings = {
  url: 'https://hooks.example/',
  enabled: true,
  // An event that is never sent.
  subscriptions: ['mailbox.connected' as const],
  routing: [],
  maxConcurrency: 1,
};

/** Calls at a time: one that waits for a connection of the pool for a second fails. */
const callsAtOnce = 10;

async function inGroups<T, R>(items: readonly T[], call: (item: T) => Promise<R>): Promise<R[]> {
  const results: R[] = [];
  for (let at = 0; at < items.length; at += callsAtOnce) {
    results.push(...(await Promise.all(items.slice(at, at + callsAtOnce).map(call))));
  }
  return results;
}

/** Puts the items of the writes in batches; transactions take four times as long. */
async function putAll(writes: readonly Write[]): Promise<void> {
  const items = writes.map((write) => {
    if (!('put' in write)) throw new Error(`the write "${write.as}" is not a put`);
    return write.put;
  });
  await putItems(items);
}

const itemsPerBatch = 25;
const batchesAtOnce = 8;

/** Puts items. */
export async function putItems(items: readonly Item[]): Promise<void> {
  const batches = Array.from({ length: Math.ceil(items.length / itemsPerBatch) }, (_, at) =>
    items.slice(at * itemsPerBatch, (at + 1) * itemsPerBatch),
  ).values();
  const work = async () => {
    for (const batch of batches) {
      const requests = batch.map((Item) => ({ PutRequest: { Item } }));
      const { UnprocessedItems } = await client().send(
        new BatchWriteCommand({ RequestItems: { [env().TABLE_NAME]: requests } }),
      );
      if (Object.keys(UnprocessedItems ?? {}).length > 0)
        throw new Error('the table engine left items unprocessed');
    }
  };
  await Promise.all(Array.from({ length: batchesAtOnce }, work));
}

/** Messages with content, beside the last one, which a reply answers. */
const readFirst = 10;

/** Stores the messages of a thread, the first with files; the files. */
async function storeMessages(own: TestWorkspace, threadId: ThreadId, count: number, files: number) {
  const emails = Array.from({ length: count }, () => newId('eml')).sort();
  const content = storedContent('Where is my order?');
  const read = emails.filter((_, at) => at < readFirst || at === count - 1);
  await Promise.all(read.map((id) => storeContent(own.id, id, content)));
  const snippet = 'Where is my order?';
  await putAll(emails.flatMap((id) => createEmail(own.id, storedHead({ id, threadId, snippet }))));
  return files > 0 ? await storeFiles(own, emails, files) : [];
}

const opened = { type: 'open', at: 0, url: null, userAgent: null, bot: false } as const;

/** Stores opens of the first message, one prepared file of it, and files of other messages. */
async function storeFiles(own: TestWorkspace, [first]: readonly EmailId[], count: number) {
  const files = Array.from({ length: count }, (_, at) => ({
    emailId: at === 0 && first ? first : newId('eml'),
    id: newId('att') as AttachmentId,
    filename: 'order.txt',
    contentType: 'text/plain',
    size: 5,
    cid: null,
  }));
  await inGroups(files, ({ emailId, ...file }) =>
    recordAttachments(own.id, emailId, [{ ...file, extraction: null }]),
  );
  if (first)
    await putAll(Array.from({ length: count }, (_, at) => addEngagement(own.id, first, at + 1, opened)));
  const [one] = files;
  const prepared = { status: 'ready', format: 'text', pages: null, warnings: [], text: 'Seven' } as const;
  if (one) await storeExtraction(own.id, one.emailId, one.id, prepared);
  return files;
}

function threadWrites(own: TestWorkspace, id: ThreadId, mailbox: string): Write[] {
  const about = { id, spaceId: null, subject: 'Order 7', mailbox, forwardOf: null };
  const first = {
    emailId: newId('eml'),
    at: now(),
    snippet: 'Where is my order?',
    ...fromBuyer,
    participants: [buyer],
    mailboxes: [],
  };
  return createThread(own.id, about, first);
}

async function makeDomain(
  own: TestWorkspace,
  given: Pick<SendingDomain, 'name'> & Partial<SendingDomain>,
): Promise<DomainId> {
  const domain = storedDomain(given);
  await createDomain(own.id, domain, null, []);
  return domain.id;
}

async function makeApp(own: TestWorkspace, slug: string, sealedSecret: string): Promise<OauthAppId> {
  const id = newId('app');
  const app = { ...appSettings(slug), id, createdAt: now(), updatedAt: now(), revision: 1 };
  const audit = { at: now(), actor: 'operator', action: 'oauth_app.created', subject: id } as const;
  await createApp(own.id, { app, sealedSecret }, audit);
  return id;
}

/** A mailbox without tokens. */
async function makeMailbox(own: TestWorkspace, address: string): Promise<MailboxId> {
  const mailbox = mailboxOf({ id: newId('mbx'), address });
  const tokens = { refreshToken: [], accessToken: [], expiresAt: 0 };
  await connectNewMailbox(own.id, mailbox, { tokens, writes: [], messages: [] });
  return mailbox.id;
}

async function makeWildcard(own: TestWorkspace): Promise<DomainId> {
  const name = `all.${own.slug}.example`;
  const parentId = await makeDomain(own, { name, wildcard: true });
  for (const label of ['a', 'b']) await makeDomain(own, { name: `${label}.${name}`, parentId });
  return parentId;
}

async function makeDelivery(own: TestWorkspace, endpointId: EndpointId): Promise<EventId> {
  const event = domainEvent();
  await storeEvent(own.id, event);
  const delivery = {
    ...newDelivery(event, endpointId, now()),
    state: 'delivered' as const,
    nextAttemptAt: null,
  };
  await createDelivery(own.id, delivery);
  return event.id;
}
