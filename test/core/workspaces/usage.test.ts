/** Usage by day (docs/concepts/usage.md). */
import { describe, expect, it } from 'vitest';
import { lastDays, sumUsage } from '../../../lib/core/workspaces/usage.ts';

const at = Date.parse('2026-03-01T00:00:00Z');

describe('sumUsage', () => {
  it('adds up the events of a workspace and day in UTC, and leaves out types that are not counted', () => {
    const events = [
      { workspaceId: 'a', type: 'email.sent', at: at - 1 },
      { workspaceId: 'a', type: 'email.sent', at },
      { workspaceId: 'a', type: 'email.sent', at: at + 1 },
      { workspaceId: 'a', type: 'email.bounced', at },
      { workspaceId: 'b', type: 'email.received', at },
      { workspaceId: 'b', type: 'email.opened', at },
      { workspaceId: 'b', type: 'thread.created', at },
    ] as const;
    expect(sumUsage(events)).toEqual([
      { workspaceId: 'a', day: '2026-02-28', counts: { sent: 1 } },
      { workspaceId: 'a', day: '2026-03-01', counts: { sent: 2, bounced: 1 } },
      { workspaceId: 'b', day: '2026-03-01', counts: { received: 1 } },
    ]);
  });
});

describe('lastDays', () => {
  it('ends with the day of now', () => {
    expect(lastDays(3, at)).toEqual(['2026-02-27', '2026-02-28', '2026-03-01']);
  });
});
