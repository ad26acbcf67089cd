import { describe, expect, it } from 'vitest';
import { newId } from '../../lib/adapters/ids.ts';
import { pacerWakeKey, pacerWakeShards } from '../../lib/storage/keys.ts';
import { get } from '../../lib/storage/reads.ts';
import { shardOf } from '../../lib/storage/time-index.ts';
import { pacerWakes } from '../../lib/storage/wake-index.ts';

describe('setTimer', () => {
  it('enters a timer with its message by one write, and changes nothing when it is set again', async () => {
    const workspaceId = newId('wks');
    // Ahead of every sweep.
    const at = Date.now() + 86_400_000;
    const message = { kind: 'pace-mail', v: 1, workspaceId } as const;
    const key = pacerWakeKey(shardOf(workspaceId, pacerWakeShards), at, workspaceId);
    await pacerWakes.setTimer({ workspaceId, at }, message);
    const stored = await get(key);
    expect(JSON.parse(String(stored?.outbox))).toEqual({
      id: expect.any(String),
      messages: [{ message, dueAt: at }],
    });
    await pacerWakes.setTimer({ workspaceId, at }, message);
    expect(await get(key)).toEqual(stored);
    await pacerWakes.remove({ workspaceId, at });
    expect(await get(key)).toBeNull();
  });
});
