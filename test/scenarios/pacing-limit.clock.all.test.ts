/** A pacing rule holds emails and lets them leave (docs/concepts/pacing.md); more in `pacing.clock.all.test.ts`. */
import { describe, expect, it } from 'vitest';
import { now } from '../../lib/adapters/clock.ts';
import {
  limitRule,
  newSender,
  person,
  queueOf,
  type Sent,
  sentCount,
  settle,
  statusOf,
} from '../support/paced-mail.ts';

describe('a limit', () => {
  it('lets emails leave one by one, as their projections say', async () => {
    const { client, send } = await newSender();
    const rule = await limitRule(client, { scope: 'rule', amount: 6, per_seconds: 3600 });
    await settle();
    const to = [person(), person(), person()];
    const startedAt = now();
    const sent: Sent[] = [];
    for (const one of to) sent.push(await send(one));
    await settle();
    expect(sent[0]?.pacing?.held_by).toEqual({ kind: 'ready', rule_id: null });
    expect(sent[1]?.pacing?.held_by).toEqual({ kind: 'limit', rule_id: rule });
    const ahead = sent.map(({ pacing }) => Date.parse(pacing?.estimated_send_at ?? '') - startedAt);
    expect(ahead[1]).toBeGreaterThan(590_000);
    expect(ahead[1]).toBeLessThan(610_000);
    expect(ahead[2]).toBeGreaterThan(1_190_000);
    expect(ahead[2]).toBeLessThan(1_210_000);
    expect(await sentCount(to)).toBe(1);
    const queue = await queueOf(client);
    expect(queue).toMatchObject({ total: 2, sampled: 2, rules: [{ rule_id: rule, matched: 2, held: 2 }] });
    expect(queue.data.map(({ email_id }) => email_id)).toEqual([sent[1]?.id, sent[2]?.id]);
    for (const [at, { estimated_send_at }] of queue.data.entries()) {
      const projected = Date.parse(sent[at + 1]?.pacing?.estimated_send_at ?? '');
      expect(Math.abs(Date.parse(estimated_send_at) - projected)).toBeLessThan(10_000);
    }
    await settle(620);
    expect(await sentCount(to)).toBe(2);
    expect(await statusOf(client, sent[2]?.id ?? '')).toBe('queued');
    await settle(620);
    expect(await sentCount(to)).toBe(3);
    expect(await queueOf(client)).toMatchObject({ data: [], total: 0, sampled: 0 });
  });
});
