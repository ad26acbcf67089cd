import { describe, expect, it } from 'vitest';
import { newId } from '../../../lib/adapters/ids.ts';
import { type Cap, reserveCount, returnCount } from '../../../lib/storage/table/counters.ts';

const cap = (max: number, stored: number | null): Cap => ({
  kind: 'spaces',
  max,
  recount: stored === null ? null : async () => stored,
});

describe('reserveCount', () => {
  it('counts no more than the cap when many resources are created at the same time', async () => {
    const workspaceId = newId('wks');
    const reserve = () => reserveCount(workspaceId, cap(10, 4), 1);
    const outcomes = await Promise.all(Array.from({ length: 20 }, reserve));
    expect(outcomes.filter(Boolean)).toHaveLength(6);
  });

  it('counts nothing when not all of several resources have room', async () => {
    const workspaceId = newId('wks');
    expect(await reserveCount(workspaceId, cap(10, null), 8)).toBe(true);
    expect(await reserveCount(workspaceId, cap(10, null), 3)).toBe(false);
    expect(await reserveCount(workspaceId, cap(10, null), 2)).toBe(true);
  });

  it('has room again when resources are returned', async () => {
    const workspaceId = newId('wks');
    await reserveCount(workspaceId, cap(2, null), 2);
    await returnCount(workspaceId, 'spaces', 1);
    expect(await reserveCount(workspaceId, cap(2, null), 1)).toBe(true);
    expect(await reserveCount(workspaceId, cap(2, null), 1)).toBe(false);
  });

  it('does not count the stored resources while a creation may be running', async () => {
    const workspaceId = newId('wks');
    expect(await reserveCount(workspaceId, cap(1, 0), 1)).toBe(true);
    // The resource of the first reservation is not stored yet.
    expect(await reserveCount(workspaceId, cap(1, 0), 1)).toBe(false);
  });
});
