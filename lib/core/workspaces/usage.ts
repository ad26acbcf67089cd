/** What a workspace did on a day in UTC: numbers of its events (docs/concepts/usage.md). */
import type { EventType } from '../webhooks/event-types.ts';

export const usageKinds = ['sent', 'delivered', 'bounced', 'complained', 'failed', 'received'] as const;
export type UsageKind = (typeof usageKinds)[number];
export type UsageCounts = Readonly<Record<UsageKind, number>>;

export interface DayUsage extends UsageCounts {
  /** `2026-01-31`, in UTC. */
  readonly day: string;
}

export const noUsage: UsageCounts = {
  sent: 0,
  delivered: 0,
  bounced: 0,
  complained: 0,
  failed: 0,
  received: 0,
};

const dayMs = 24 * 3_600_000;
/** Days that can be asked for, and for which a day is kept. */
export const usageDaysMax = 90;
const keptDays = 400;

export const dayOf = (atMs: number): string => new Date(atMs).toISOString().slice(0, 10);

/** When the counts of a day may be deleted; Unix milliseconds. */
export const usageExpiry = (day: string): number => Date.parse(day) + keptDays * dayMs;

/** The last `days` days, the oldest first; the last one is that of `nowMs`. */
export function lastDays(days: number, nowMs: number): string[] {
  return Array.from({ length: days }, (_, at) => dayOf(nowMs - (days - 1 - at) * dayMs));
}

const usageKindOf = (type: EventType): UsageKind | undefined =>
  usageKinds.find((kind) => type === `email.${kind}`);

/** An event, as far as it is counted. */
export interface CountedEvent<Owner> {
  readonly workspaceId: Owner;
  readonly type: EventType;
  /** Unix milliseconds. */
  readonly at: number;
}

/** The sums of events, one for each workspace and day: a batch is one write for each of them. */
export function sumUsage<Owner extends string>(
  events: readonly CountedEvent<Owner>[],
): { readonly workspaceId: Owner; readonly day: string; readonly counts: Partial<UsageCounts> }[] {
  const counted = events.flatMap(({ workspaceId, type, at }) => {
    const kind = usageKindOf(type);
    return kind ? [{ workspaceId, day: dayOf(at), kind }] : [];
  });
  const groups = Map.groupBy(counted, ({ workspaceId, day }) => `${workspaceId} ${day}`);
  return [...groups.values()].flatMap((group) => {
    const [first] = group;
    if (!first) return [];
    const counts: Partial<Record<UsageKind, number>> = {};
    for (const { kind } of group) counts[kind] = (counts[kind] ?? 0) + 1;
    return [{ workspaceId: first.workspaceId, day: first.day, counts }];
  });
}
