/** Measures lists of emails in a small workspace and in a large one: a page has to cost the same in both. */
import { BatchWriteCommand } from '@aws-sdk/lib-dynamodb';
import { newId } from '../../lib/adapters/ids.ts';
import type { EmailHead } from '../../lib/core/emails/email.ts';
import { env } from '../../lib/env.ts';
import { createEmail } from '../../lib/storage/emails/email-heads.ts';
import type { Item } from '../../lib/storage/table/table.ts';
import { client } from '../../lib/storage/table/table-client.ts';
import { median } from './figures.ts';
import { functionOf } from './measure-operations.ts';
import { profileOf } from './observe.ts';
import { type Stage, succeeded, type Tenant } from './stage.ts';

export interface ListFigures {
  readonly query: string;
  readonly sizes: readonly {
    readonly emails: number;
    readonly shown: number;
    readonly readUnits: number;
    readonly p50: number;
  }[];
}

const queries = ['limit=40', 'limit=100', 'space=none&limit=40', 'status=bounced', 'query=nowhere'];
const callsOfEach = 10;
const emailsPerBatch = 12;
const batchesAtOnce = 4;

/** @param sizes numbers of emails, a workspace for each */
export async function measureLists(
  stage: Stage,
  sizes: readonly number[],
  progress: (text: string) => void,
): Promise<ListFigures[]> {
  const filled: { emails: number; tenant: Tenant }[] = [];
  for (const emails of sizes) {
    const tenant = await stage.workspace();
    await fill(tenant, emails, progress);
    filled.push({ emails, tenant });
  }
  await stage.rest();
  const { recorder } = stage.cloud.gateway;
  const figures: ListFigures[] = [];
  for (const query of queries) {
    const measured: ListFigures['sizes'][number][] = [];
    for (const { emails, tenant } of filled) {
      recorder.metering = true;
      stage.observer.takeAll();
      const answers = [];
      for (let at = 0; at < callsOfEach; at++) answers.push(await tenant.call('GET', `/emails?${query}`));
      recorder.metering = false;
      const { readUnits } = profileOf(stage.observer.take(functionOf('emails.list')));
      measured.push({
        emails,
        shown: answers.map(succeeded)[0]?.data.length ?? 0,
        readUnits,
        p50: median(answers.map(({ ms }) => ms)),
      });
    }
    figures.push({ query, sizes: measured });
  }
  return figures;
}

/** Puts the heads of emails into the table as the store writes them: a list reads nothing else. */
async function fill(tenant: Tenant, emails: number, progress: (text: string) => void): Promise<void> {
  const batches = Math.ceil(emails / emailsPerBatch);
  for (let at = 0; at < batches; at += batchesAtOnce) {
    const group = Array.from({ length: Math.min(batchesAtOnce, batches - at) }, () => batchFor(tenant));
    await Promise.all(group.map(write));
    if (at % 400 === 0) progress(`${at * emailsPerBatch} of ${emails} emails`);
  }
}

function batchFor(tenant: Tenant): Item[] {
  return Array.from({ length: emailsPerBatch }, () => createEmail(tenant.id, headOf(tenant)))
    .flat()
    .map((write) => {
      if (!('put' in write)) throw new Error('the store creates an email by something else than a put');
      return write.put;
    });
}

async function write(items: readonly Item[]): Promise<void> {
  let open: Record<string, unknown>[] = items.map((Item) => ({ PutRequest: { Item } }));
  while (open.length > 0) {
    const { UnprocessedItems } = await client().send(
      new BatchWriteCommand({ RequestItems: { [env().TABLE_NAME]: open } }),
    );
    open = UnprocessedItems?.[env().TABLE_NAME] ?? [];
  }
}

/** An outbound email of common size. */
function headOf({ address }: Tenant): EmailHead {
  const id = newId('eml');
  return {
    id,
    threadId: newId('thr'),
    spaceId: null,
    status: 'delivered',
    from: { name: 'Support', address },
    to: [{ name: 'Anna Example', address: 'anna@example.test' }],
    others: [],
    subject: `Your order ${id.slice(-6)}`,
    snippet: 'It is on its way. '.repeat(11),
    category: null,
    suspicious: false,
    suppressionKey: null,
    messageId: `<${id}@example.test>`,
    inReplyTo: null,
    idempotencyKey: null,
    domainId: null,
    mailboxId: null,
    createdAt: Date.now(),
    scheduledAt: null,
    sentAt: Date.now(),
    revision: 3,
  };
}
