/** Measures pacing: a large queue on virtual time, and the email of another workspace beside a queue that drains. */
import { setTimeout as wait } from 'node:timers/promises';
import { type Drain, drain, drains } from '../pacing/drain.ts';
import { quantile } from './figures.ts';
import { type Stage, succeeded, type Tenant } from './stage.ts';

export interface PacingFigures {
  /** Emails held in each drain. */
  readonly held: number;
  readonly drains: readonly Drain[];
  /** From the request of another workspace to its `email.sent`; ms. */
  readonly alone: Times;
  readonly beside: Times;
  /** Emails a second that leave meanwhile. */
  readonly leavingPerSecond: number;
}

interface Times {
  readonly p50: number;
  readonly p99: number;
}

const backlog = 200;
const perSecond = 2;
const emails = 30;

export async function measurePacing(
  stage: Stage,
  held: number,
  progress: (text: string) => void,
): Promise<PacingFigures> {
  const results: Drain[] = [];
  for (const one of drains) {
    progress(`${held} held emails on virtual time: ${one.name}`);
    results.push(await drain(one, held));
  }
  const other = await observer(stage);
  const busy = await stage.workspace();
  const rule = { name: 'Backlog', match: [], kind: 'limit' };
  const closed = { scope: 'rule', amount: 1, per_seconds: 86_400 };
  const { id } = succeeded(await busy.call('POST', '/pacing-rules', { ...rule, limit: closed }));
  progress(`${backlog} emails to hold`);
  for (let at = 0; at < backlog; at++) await send(busy, `p${at}@held.example.test`);
  await stage.rest();
  progress(`${emails} emails of another workspace, alone`);
  const alone = await other();
  succeeded(
    await busy.call('PATCH', `/pacing-rules/${id}`, {
      limit: { scope: 'rule', amount: perSecond * 3600, per_seconds: 3600 },
    }),
  );
  const before = await waiting(busy);
  const startedAt = performance.now();
  progress(`${emails} emails of another workspace, beside`);
  const beside = await other();
  const left = before - (await waiting(busy));
  const leavingPerSecond = (1000 * left) / (performance.now() - startedAt);
  await stage.rest();
  return { held, drains: results, alone, beside, leavingPerSecond };
}

async function send({ address, call }: Tenant, to: string): Promise<string> {
  return succeeded(await call('POST', '/emails', { from: address, to, subject: 'Paced', text: 'Hello' })).id;
}

async function waiting({ call }: Tenant): Promise<number> {
  const { body } = await call('GET', '/pacing-queue?limit=1');
  return (body as unknown as { readonly total: number }).total;
}

/** A workspace that sends an email a second, and hears when each was sent. */
async function observer(stage: Stage): Promise<() => Promise<Times>> {
  const tenant = await stage.workspace();
  const sent = new Map<string, number>();
  const url = await stage.receiver(({ data }) => {
    const { email_id: id = '' } = data;
    if (!sent.has(id)) sent.set(id, performance.now());
  });
  succeeded(await tenant.call('POST', '/webhook-endpoints', { url, subscriptions: ['email.sent'] }));
  return async () => {
    const times: number[] = [];
    for (let at = 0; at < emails; at++) {
      const startedAt = performance.now();
      const id = await send(tenant, `p${at}@example.test`);
      while (!sent.has(id)) await wait(5);
      times.push((sent.get(id) ?? 0) - startedAt);
      await wait(Math.max(0, 1000 - (performance.now() - startedAt)));
    }
    return { p50: quantile(times, 0.5), p99: quantile(times, 0.99) };
  };
}
