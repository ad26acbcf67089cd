import { describe, expect, it } from 'vitest';
import { createChanges } from '../../../lib/local/inbox/changes.ts';

const service = { kind: 'service' } as const;
const webhook = { kind: 'webhook' } as const;

describe('changes', () => {
  it('are returned from a position on', async () => {
    const changes = createChanges();
    expect(await changes.after(null)).toEqual({ position: 0, changes: [], missed: false });
    changes.add(service);
    changes.add(webhook);
    expect(await changes.after(1)).toEqual({ position: 2, changes: [webhook], missed: false });
  });

  it('are waited for, and told together', async () => {
    const changes = createChanges({ gatherMs: 1 });
    const page = changes.after(0);
    changes.add(service);
    changes.add(webhook);
    expect(await page).toEqual({ position: 2, changes: [service, webhook], missed: false });
  });

  it('may not come for a while, or never again', async () => {
    const quiet = createChanges({ waitMs: 1 });
    expect(await quiet.after(0)).toEqual({ position: 0, changes: [], missed: false });
    const closed = createChanges({ gatherMs: 0 });
    const page = closed.after(0);
    closed.close();
    expect((await page).changes).toEqual([]);
    expect((await closed.after(0)).changes).toEqual([]);
  });

  it('say that some were missed: after many, and for a position of another run', async () => {
    const changes = createChanges();
    expect((await changes.after(7)).missed).toBe(true);
    for (let count = 0; count < 2_000; count += 1) changes.add(service);
    expect((await changes.after(1)).missed).toBe(true);
    expect((await changes.after(1_999)).changes).toHaveLength(1);
  });
});
