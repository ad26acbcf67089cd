import { beforeAll, describe, expect, it } from 'vitest';
import { operations } from '../../functions/operations.ts';
import type { Contract } from '../../lib/http/contract.ts';
import { exampleBodies } from '../operations/examples.ts';
import { api } from '../support/api.ts';
import { cloud } from '../support/cloud.ts';
import { type TestWorkspace, workspace } from '../support/workspace.ts';

const withIds = operations
  .filter(({ path }) => path.includes('{'))
  .map((contract) => ({ name: `${contract.method} ${contract.path}`, contract }));

let ours: TestWorkspace;
let theirs: TestWorkspace;
/** What the other workspace has, by the name that paths give to such an id. */
let their: Readonly<Record<string, string>>;

beforeAll(async () => {
  [ours, theirs] = await Promise.all([workspace(), workspace()]);
  their = await seed(theirs);
});

/** Makes one of everything. */
async function seed(own: TestWorkspace): Promise<Record<string, string>> {
  const client = api(own);
  const make = async (path: string, body: object) => {
    const answer = await client.post(path, body);
    if (answer.status >= 300) throw new Error(`${path} answered ${JSON.stringify(answer.body)}`);
    return answer.body;
  };
  const file = { filename: 'a.txt', content: Buffer.from('Hello').toString('base64') };
  const from = `hi@${own.providedDomain}`;
  const message = { from, to: 'anna@example.test', subject: 'Hi', text: 'Hi', attachments: [file] };
  const email = await make('/emails', message);
  const full = await client.get<{ attachments: { id: string }[] }>(`/emails/${email.id}`);
  const suppressed = await make('/suppressions', { addresses: ['bob@example.test'] });
  return {
    space_id: (await make('/spaces', { name: 'Theirs' })).id,
    key_id: (await make('/api-keys', { name: 'Theirs', scope: 'read' })).id,
    domain_id: (await make('/domains', { name: `${own.slug}.example.test` })).id,
    endpoint_id: (
      await make('/webhook-endpoints', { url: 'https://example.com', subscriptions: ['email.sent'] })
    ).id,
    email_id: email.id,
    thread_id: String(email.thread_id),
    attachment_id: full.body.attachments[0]?.id ?? '',
    suppression_id: suppressed.data[0]?.id ?? '',
  };
}

/** All that can be read of the other workspace, without what differs at each reading. */
async function readAll(): Promise<string> {
  const readable = operations.filter(({ id, method }) => method === 'GET' && !volatile.has(id));
  const bodies = await Promise.all(
    readable.map(async (contract) => (await api(theirs).get(pathOf(contract, their))).body),
  );
  return JSON.stringify(bodies, (name, value) =>
    name === 'download_url' || name === 'request_id' ? undefined : value,
  );
}

/** What tells the time of its last use is changed by the reading itself. */
const volatile: ReadonlySet<string> = new Set(['api-keys.list']);

async function callWithTheirs(contract: Contract) {
  const body = exampleBodies[contract.id];
  const path = pathOf(contract, their);
  return await api(ours).request(contract.method, path, { ...(body !== undefined && { body }) });
}

function pathOf({ path }: Contract, ids: Readonly<Record<string, string>>): string {
  return path.replace('/api/v2', '').replace(/\{(\w+)\}/g, (_, name: string) => {
    const id = ids[name];
    if (!id) throw new Error(`seed() makes nothing that {${name}} could name`);
    return id;
  });
}

describe('an id of another workspace', () => {
  it.each(withIds)('is unknown to $name', async ({ contract }) => {
    const { status, body } = await callWithTheirs(contract);
    const code = contract.path.includes('{thread_id}') ? 'thread_not_found' : 'not_found';
    expect(status).toBe(404);
    if (contract.method !== 'HEAD') expect(body.code).toBe(code);
  });

  it('lets no operation change anything', async () => {
    await cloud().settle();
    const before = await readAll();
    const { key_id, ...shown } = their;
    for (const id of Object.values(shown)) expect(before).toContain(id);
    for (const { contract } of withIds) await callWithTheirs(contract);
    await cloud().settle();
    expect(await readAll()).toBe(before);
    const { data: keys } = (await api(theirs).get('/api-keys')).body;
    expect(keys.map(({ id }) => id)).toContain(key_id);
  });

  it('is unknown in a body, too', async () => {
    const { post } = api(ours);
    const message = { from: `hi@${ours.providedDomain}`, to: 'a@example.test', subject: 'Hi', text: 'Hi' };
    const answer = await post('/emails', { ...message, thread_id: their.thread_id });
    expect([answer.status, answer.body.code]).toEqual([404, 'thread_not_found']);
    const foreign = await post('/emails', { ...message, from: `hi@${theirs.providedDomain}` });
    expect(foreign.body.code).toBe('sender_unknown');
  });

  it('in a plus-address or a reference of received mail leads nowhere', async () => {
    const { thread_id, email_id } = their;
    await cloud().settle();
    const { message_id: onTheWire } = (await api(theirs).get(`/emails/${email_id}`)).body;
    await cloud().sendMail({
      from: 'anna@example.test',
      to: `hi+${thread_id}@${ours.providedDomain}`,
      subject: 'Re: Hi',
      text: 'Let me in',
      inReplyTo: `<${email_id}@${theirs.providedDomain}>`,
      references: String(onTheWire),
    });
    await cloud().settle();
    const [received] = (await api(ours).get('/emails')).body.data;
    expect(received).toMatchObject({ direction: 'inbound' });
    expect(received?.thread_id).not.toBe(thread_id);
    expect((await api(theirs).get(`/threads/${thread_id}`)).body).toMatchObject({ message_count: 1 });
  });
});
