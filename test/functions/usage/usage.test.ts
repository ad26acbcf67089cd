/** `GET /usage` and `GET /limits` (docs/concepts/usage.md, docs/concepts/limits.md#limits-of-your-workspace). */
import { describe, expect, it } from 'vitest';
import type * as z from 'zod';
import { now } from '../../../lib/adapters/clock.ts';
import { newId } from '../../../lib/adapters/ids.ts';
import { noUsage } from '../../../lib/core/workspaces/usage.ts';
import type { workspaceLimitsSchema } from '../../../lib/http/presenters/workspace-limits.ts';
import { newEvent } from '../../../lib/services/events/new-event.ts';
import { countUsage } from '../../../lib/services/usage/usage.ts';
import { addUsage } from '../../../lib/storage/workspaces/usage.ts';
import { api } from '../../support/api.ts';
import { carrierOf } from '../../support/carriers.ts';
import { workspace } from '../../support/workspace.ts';

const today = () => new Date(now()).toISOString().slice(0, 10);

describe('GET /usage', () => {
  it('counts what was sent and delivered today, and zeros for days without events', async () => {
    const own = await workspace();
    const emailId = newId('eml');
    const events = (['email.sent', 'email.delivered', 'email.opened'] as const).map((type) =>
      carrierOf(
        type === 'email.opened'
          ? newEvent(own.id, type, now(), { emailId, engagement: 1 })
          : newEvent(own.id, type, now(), { emailId }),
      ),
    );
    await countUsage(events);
    const { status, body } = await api(own).get('/usage?days=3');
    expect(status).toBe(200);
    expect(body.data).toHaveLength(3);
    expect(body.data.at(-1)).toEqual({ ...noUsage, day: today(), sent: 1, delivered: 1 });
    expect(body.data[0]).toMatchObject(noUsage);
  });

  it('leaves out days before those asked for, and others’ counts', async () => {
    const [own, theirs] = [await workspace(), await workspace()];
    const before = new Date(now() - 2 * 86_400_000).toISOString().slice(0, 10);
    await addUsage(own.id, before, { received: 7 });
    await addUsage(theirs.id, today(), { received: 9 });
    expect((await api(own).get('/usage?days=2')).body.data.map((day: object) => ({ ...day }))).toMatchObject([
      noUsage,
      noUsage,
    ]);
    expect((await api(own).get('/usage?days=3')).body.data[0]).toEqual({
      ...noUsage,
      day: before,
      received: 7,
    });
  });

  it.each(['0', '91', 'x', '1.5'])('400 invalid_query for days=%s', async (days) => {
    const { status, body } = await api(await workspace()).get(`/usage?days=${days}`);
    expect([status, body.code]).toEqual([400, 'invalid_query']);
  });
});

describe('GET /limits', () => {
  it('says what is used of the budget, of the caps and of counted resources', async () => {
    const own = await workspace();
    const client = api(own);
    await client.post('/domains', { name: `${own.slug}.test` });
    const { body } = await client.get<z.infer<typeof workspaceLimitsSchema>>('/limits');
    expect(body.resources.find(({ kind }) => kind === 'domains')).toEqual({
      kind: 'domains',
      used: 2,
      allowed: 1000,
    });
    expect(body.request_budget.units.allowed).toBeGreaterThan(0);
    expect(body.recipients.per_hour).toMatchObject({ used: 0, free_at: null });
    expect(body.sending_rates.map(({ region }) => region)).toContain('us-east-1');
    expect(body.suspension).toBeNull();
  });
});
