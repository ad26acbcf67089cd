import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { operations } from '../../functions/operations.ts';
import type { Contract } from '../../lib/http/contract.ts';
import { type Listening, listen } from '../../scripts/listen.ts';
import { api } from '../support/api.ts';
import { cloud } from '../support/cloud.ts';
import { mailOf5Kb } from '../support/conversation.ts';
import { errorAt } from '../support/errors.ts';
import {
  bodyOf,
  type FixtureContext,
  paramNames,
  resourceOf,
  targetOf,
} from '../support/operation-fixtures.ts';
import { type TestWorkspace, workspace } from '../support/workspace.ts';
import { workspaceContext } from '../support/workspace-context.ts';

const named = operations.map((contract) => ({ name: `${contract.method} ${contract.path}`, contract }));
const withIds = named.filter(({ contract }) => contract.path.includes('{'));

let ours: TestWorkspace;
let theirs: TestWorkspace;
let ourContext: FixtureContext;
/** One resource of each type in the other workspace, by path parameter. */
let their: Readonly<Record<string, string>>;
let hook: Listening;

beforeAll(async () => {
  // Answers: a delivery that fails changes with its next attempt.
  hook = await listen((_, response) => response.end());
  [ours, theirs] = await Promise.all([workspace(), workspace()]);
  ourContext = workspaceContext(ours);
  their = await createAll({ ...workspaceContext(theirs), webhookUrl: hook.origin });
  await cloud().waitForQuiescence();
});

afterAll(() => hook.close());

async function createAll(context: FixtureContext): Promise<Record<string, string>> {
  const ids: Record<string, string> = {};
  for (const { contract } of withIds)
    for (const param of paramNames(contract)) ids[param] = await resourceOf(contract, param, context);
  return ids;
}

/** Fields whose value differs each time, or changes because the workspace is read or a poll is due. */
const volatile: ReadonlySet<string> = new Set([
  'download_url',
  'content_url',
  'request_id',
  'last_used_at',
  'last_sync_at',
  'as_of',
  'signedUrl',
  'expiresAt',
]);

/** Everything that can be read of the other workspace but its usage, which is counted some time later. */
async function readAll(): Promise<string> {
  const readable = operations.filter(({ method, id }) => method === 'GET' && id !== 'usage.retrieve');
  const bodies = [];
  for (const contract of readable)
    bodies.push((await api(theirs).get(targetOf(contract, { params: their }))).body);
  return JSON.stringify(bodies, (name, value) => (volatile.has(name) ? undefined : value));
}

async function callWithTheirs(contract: Contract) {
  const body = await bodyOf(contract, ourContext);
  const path = targetOf(contract, { params: their });
  return await api(ours).request(contract.method, path, { ...(body !== undefined && { body }) });
}

describe('an id of another workspace', () => {
  it.each(withIds)('answers 404 in the path of $name', async ({ contract }) => {
    const { status, body } = await callWithTheirs(contract);
    const problem = contract.path.includes('{thread_id}') ? 'thread_not_found' : 'not_found';
    expect(status).toBe(404);
    if (contract.method !== 'HEAD') expect(body.code).toBe(errorAt(contract.path, problem).code);
  });

  it('changes nothing in that workspace when any operation is called with it', async () => {
    await cloud().waitForQuiescence();
    const before = await readAll();
    for (const id of Object.values(their)) expect(before).toContain(id);
    for (const { contract } of withIds) await callWithTheirs(contract);
    await cloud().waitForQuiescence();
    expect(await readAll()).toBe(before);
  });

  it('does not join a thread when received mail has it in a plus-address or a reference', async () => {
    const { thread_id, email_id } = their;
    const thread = await api(theirs).get(`/threads/${thread_id}`);
    const { message_id: onTheWire } = (await api(theirs).get(`/emails/${email_id}`)).body;
    await cloud().sendMail({
      from: 'anna@example.test',
      to: `hi+${thread_id}@${ours.providedDomain}`,
      subject: 'Re: Hi',
      text: 'Let me in',
      inReplyTo: `<${email_id}@${theirs.providedDomain}>`,
      references: String(onTheWire),
    });
    await cloud().waitForQuiescence();
    const [received] = (await api(ours).get('/emails?direction=inbound')).body.data;
    expect(received).toMatchObject({ direction: 'inbound' });
    expect(received?.thread_id).not.toBe(thread_id);
    const { message_count } = (await api(theirs).get(`/threads/${thread_id}`)).body;
    expect(message_count).toBe(thread.body.message_count);
  });
});

describe("another workspace's address", () => {
  it('answers sender_unknown as from of a send', async () => {
    const body = mailOf5Kb(`support@${theirs.providedDomain}`);
    expect((await api(ours).post('/emails', body)).body.code).toBe('sender_unknown');
  });
});
