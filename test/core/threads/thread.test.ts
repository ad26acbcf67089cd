import { describe, expect, it } from 'vitest';
import {
  activityEntryAt,
  activityEntryKeptMs,
  mergeMailboxes,
  moveActivityEntry,
  otherMailboxesMax,
} from '../../../lib/core/threads/thread.ts';

describe('mergeMailboxes', () => {
  const thread = { mailbox: 'Sales@acme.dev', otherMailboxes: ['help@acme.dev'] };

  it('adds each new address once, without case', () => {
    const added = ['sales@ACME.dev', 'support@acme.dev', 'HELP@acme.dev', 'Support@acme.dev'];
    expect(mergeMailboxes(thread, added)).toEqual(['help@acme.dev', 'support@acme.dev']);
  });

  it('keeps the first addresses when there are more than the limit', () => {
    const many = Array.from({ length: 20 }, (_, at) => `desk-${at}@acme.dev`);
    expect(mergeMailboxes(thread, many)).toEqual(['help@acme.dev', ...many.slice(0, otherMailboxesMax - 1)]);
  });
});

describe('moveActivityEntry', () => {
  it('drops at most two entries at once, and none that a listing needs', () => {
    let entries: readonly number[] = [];
    const dropped: number[] = [];
    const move = (at: number) => {
      const moved = moveActivityEntry(entries, at);
      expect(moved.dropped.length).toBeLessThanOrEqual(2);
      expect(moved.kept.length).toBeLessThanOrEqual(20);
      entries = moved.kept;
      dropped.push(...moved.dropped);
    };
    for (let at = 1; at <= 40; at++) move(at);
    expect(entries).toHaveLength(20);
    const later = 40 + 2 * activityEntryKeptMs;
    for (let at = 0; at < 30; at++) move(later + at * activityEntryKeptMs);
    expect(entries.length).toBeLessThanOrEqual(3);
    expect(new Set(dropped).size).toBe(dropped.length);
  });

  it('leaves a listing its position when it began within the hour', () => {
    const { kept } = moveActivityEntry([1000, 500], 1000 + activityEntryKeptMs - 1);
    expect(activityEntryAt({ activity: kept }, 1000)).toBe(1000);
  });
});
