/** Inbound rules at their limit: what a message reads, and the rule that is one too many. */
import { expect, it } from 'vitest';
import { now } from '../../../lib/adapters/clock.ts';
import { newId } from '../../../lib/adapters/ids.ts';
import type { WorkspaceId } from '../../../lib/core/ids.ts';
import { limits } from '../../../lib/core/limits.ts';
import { createInboundRule, judgeByRules } from '../../../lib/storage/receiving/inbound-rules.ts';
import * as keys from '../../../lib/storage/table/keys.ts';
import { getMany } from '../../../lib/storage/table/reads.ts';
import { put, putMany } from '../../../lib/storage/table/table.ts';
import { api } from '../../support/api.ts';
import { ownCalls } from '../../support/calls.ts';
import { workspace } from '../../support/workspace.ts';

/** Stores rules that block `@s<number>.test`: copies of a first one, since 10,000 transactions take minutes. */
async function makeRules(workspaceId: WorkspaceId, count: number): Promise<void> {
  const scope = { spaceId: null, address: null };
  const first = { ...scope, id: newId('rul'), action: 'block', pattern: '@s0.test', note: null } as const;
  expect(await createInboundRule(workspaceId, { ...first, createdAt: now(), revision: 1 })).toBe('created');
  const indexKey = (pattern: string) => keys.inboundRuleIndexKey(workspaceId, scope, pattern, 'block');
  const [rule, index] = await getMany([keys.inboundRuleKey(workspaceId, first.id), indexKey(first.pattern)]);
  const copies = Array.from({ length: count - 1 }, (_, at) => {
    const [id, pattern] = [newId('rul'), `@s${at + 1}.test`];
    return [
      { ...rule, ...keys.inboundRuleKey(workspaceId, id), pattern },
      { ...index, ...indexKey(pattern), ruleId: id },
    ];
  });
  await putMany(copies.flat());
  await put({ ...keys.counterKey(workspaceId, 'inbound-rules'), count });
}

/** The calls that judge a message, which one of these rules blocks. */
async function readsWith(count: number) {
  const ours = await workspace();
  await makeRules(ours.id, count);
  const target = { workspaceId: ours.id, spaceId: newId('spc') };
  const calls = await ownCalls(async () => {
    const judged = await judgeByRules(target, 'eve@s7.test', [`desk@${ours.providedDomain}`]);
    expect(judged).toMatchObject([{ isBlocked: true }]);
  });
  return { ours, calls };
}

it('a message makes one turn of reads for its rules, with ten as with 10,000, and one more is refused', async () => {
  const few = await readsWith(10);
  const { ours, calls } = await readsWith(limits.inboundRules);
  expect([few.calls, calls]).toEqual([['BatchGetItem'], ['BatchGetItem']]);
  const client = api(ours);
  const more = () => client.post('/inbound-rules', { action: 'block', pattern: '@one-more.test' });
  expect(await more()).toMatchObject({ status: 409, body: { code: 'limit_reached' } });
  const { body } = await client.get('/inbound-rules?limit=1');
  expect((await client.delete(`/inbound-rules/${Object(body.data[0]).id}`)).status).toBe(204);
  expect((await more()).status).toBe(201);
});
