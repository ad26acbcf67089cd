/** How each operation is called: what it needs is made beforehand, and is no part of what is measured. */
import { operations } from '../../functions/operations.ts';
import { wireMessageId } from '../../lib/local/ses/ids.ts';
import type { MailIn, Stage, Tenant } from './stage.ts';
import { succeeded } from './stage.ts';

/** Values of the path parameters, the query string, the body. */
export interface Call {
  readonly params?: Readonly<Record<string, string>>;
  readonly query?: string;
  readonly body?: unknown;
}

/** Prepares one call; what is used up by it is made anew each time. */
export type Case = () => Call | Promise<Call>;

const text5Kb = 'Twelve bytes'.repeat(427);

/** A message of 5 KB to one recipient: the send that the targets speak of. */
export function mailOf5Kb(from: string): object {
  return { from, to: 'anna@example.test', subject: 'Your order', text: text5Kb };
}

/** An answer to an email, with a file that is prepared as text. */
export function answerTo(to: string, messageId?: string): MailIn {
  return {
    from: 'anna@example.test',
    to,
    subject: 'Re: Your order',
    text: 'Thank you!\n\nOn Monday, Support wrote:\n> It is on its way.\n',
    attachments: [{ filename: 'list.csv', content: Buffer.from('item,count\nbooks,2\npens,3\n') }],
    ...(messageId && { inReplyTo: messageId }),
  };
}

/** @throws Error naming each operation that has no case here, and each case without an operation */
export async function casesOf(stage: Stage): Promise<{ tenant: Tenant; cases: ReadonlyMap<string, Case> }> {
  const tenant = await stage.workspace();
  const cases = new Map(Object.entries(await prepare(stage, tenant)));
  const missing = operations.filter(({ id }) => !cases.has(id)).map(({ id }) => `${id} has no case`);
  const known = new Set(operations.map(({ id }) => id));
  const surplus = [...cases.keys()].filter((id) => !known.has(id)).map((id) => `${id} is no operation`);
  const wrong = [...missing, ...surplus];
  if (wrong.length > 0) throw new Error(`scripts/bench/operation-cases.ts: ${wrong.join('; ')}`);
  return { tenant, cases };
}

async function prepare(stage: Stage, tenant: Tenant): Promise<Record<string, Case>> {
  const make = async (path: string, body: unknown) => succeeded(await tenant.call('POST', path, body));
  const url = await stage.receiver();
  const endpoint = await make('/webhook-endpoints', { url, subscriptions: ['email.sent', 'email.received'] });
  const { email, thread, attachment } = await conversation(stage, tenant);
  const space = await make('/spaces', { name: 'Acme' });
  const domain = await make('/domains', { name: 'bench.test' });
  succeeded(await tenant.call('POST', `/domains/${domain.id}/verify`));
  const inAnHour = () => new Date(stage.cloud.clock.now() + 3_600_000).toISOString();
  const scheduled = () => make('/emails', { ...mailOf5Kb(tenant.address), scheduled_at: inAnHour() });
  const later = await scheduled();
  const list = await make('/suppressions', { addresses: ['bo@example.test'] });
  const suppression = list.data[0]?.id ?? '';
  let made = 0;
  const unique = () => `bench-${++made}`;
  // The local cloud publishes the records of names below `.test`: of these it is not to, or SES would be busy with them.
  const newDomain = () => ({ name: `${unique()}.example` });
  const quiet = { url, subscriptions: ['domain.lost'] };
  const newKey = () => ({ name: unique(), scope: 'read' });

  return {
    'spaces.list': () => ({}),
    'spaces.create': () => ({ body: { name: 'Acme', external_id: unique() } }),
    'spaces.retrieve': () => ({ params: { space_id: space.id } }),
    'spaces.update': () => ({ params: { space_id: space.id }, body: { name: unique() } }),
    'api-keys.list': () => ({}),
    'api-keys.create': () => ({ body: newKey() }),
    'api-keys.delete': async () => ({ params: { key_id: (await make('/api-keys', newKey())).id } }),
    'emails.list': () => ({}),
    'emails.send': () => ({ body: mailOf5Kb(tenant.address) }),
    'emails.retrieve': () => ({ params: { email_id: email } }),
    'emails.reschedule': () => ({ params: { email_id: later.id }, body: { scheduled_at: inAnHour() } }),
    'emails.cancel': async () => ({ params: { email_id: (await scheduled()).id } }),
    'threads.list': () => ({}),
    'threads.retrieve': () => ({ params: { thread_id: thread } }),
    'threads.reply': () => ({ params: { thread_id: thread }, body: { text: 'You are welcome.' } }),
    'threads.forward': () => ({ params: { thread_id: thread }, body: { to: 'cy@example.test' } }),
    'attachments.create': () => ({
      body: { filename: 'film.mp4', content_type: 'video/mp4', size: 10_000_000 },
    }),
    'attachments.download': () => ({ params: { attachment_id: attachment } }),
    'attachments.inspect': () => ({ params: { attachment_id: attachment } }),
    'attachments.download-text': () => ({ params: { attachment_id: attachment } }),
    'domains.list': () => ({}),
    'domains.create': () => ({ body: newDomain() }),
    'domains.retrieve': () => ({ params: { domain_id: domain.id } }),
    'domains.update': () => ({ params: { domain_id: domain.id }, body: { track_clicks: made++ % 2 === 0 } }),
    'domains.delete': async () => ({ params: { domain_id: (await make('/domains', newDomain())).id } }),
    'domains.verify': () => ({ params: { domain_id: domain.id } }),
    'webhook-endpoints.list': () => ({}),
    'webhook-endpoints.create': () => ({ body: quiet }),
    'webhook-endpoints.retrieve': () => ({ params: { endpoint_id: endpoint.id } }),
    'webhook-endpoints.update': () => ({
      params: { endpoint_id: endpoint.id },
      body: { max_concurrency: 1 + (made++ % 128) },
    }),
    'webhook-endpoints.delete': async () => ({
      params: { endpoint_id: (await make('/webhook-endpoints', quiet)).id },
    }),
    'webhook-endpoints.list-deliveries': () => ({ params: { endpoint_id: endpoint.id } }),
    'suppressions.list': () => ({}),
    'suppressions.create': () => ({ body: { addresses: [`${unique()}@example.test`] } }),
    'suppressions.retrieve': () => ({ params: { suppression_id: suppression } }),
    'suppressions.delete': async () => {
      const { data } = await make('/suppressions', { addresses: [`${unique()}@example.test`] });
      return { params: { suppression_id: data[0]?.id ?? '' } };
    },
  };
}

/** A mail of ours and an answer to it with a file, in one thread. */
async function conversation(
  stage: Stage,
  { address, call }: Tenant,
): Promise<{ email: string; thread: string; attachment: string }> {
  const sent = succeeded(await call('POST', '/emails', mailOf5Kb(address)));
  await stage.rest();
  const handedOver = stage.cloud.ses.sent().at(-1);
  await stage.mailIn(answerTo(address, handedOver && wireMessageId(handedOver.region, handedOver.id)));
  await stage.rest();
  const inbound = succeeded(await call('GET', '/emails?direction=inbound')).data[0]?.id ?? '';
  const answer = succeeded(await call('GET', `/emails/${inbound}`));
  if (answer.thread_id !== sent.thread_id) throw new Error('the answer did not join its thread');
  return { email: sent.id, thread: sent.thread_id, attachment: answer.attachments[0]?.id ?? '' };
}
