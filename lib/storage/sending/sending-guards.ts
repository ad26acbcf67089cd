/** Caps, counts and suspension of each workspace's sending, one item, changed by single conditional updates. */

import { refillMs } from '../../core/access/rate-bucket.ts';
import type { WorkspaceId } from '../../core/ids.ts';
import type { OutboxMessage } from '../../core/queue-messages.ts';
import {
  countedHours,
  type HourCount,
  hourOf,
  type RecipientCaps,
  ratesOf,
  type SendingGuard,
  type Suspension,
  suspensionReasons,
  unusedGuard,
} from '../../core/sending/sending-guard.ts';
import { codec, nullable, number, object, oneOf, withDefault } from '../table/codec.ts';
import { expressionsOf, withCondition } from '../table/expressions.ts';
import { sendingGuardKey } from '../table/keys.ts';
import { increase, newParts, requireSame, spend, updateOf } from '../table/rate-buckets.ts';
import { get } from '../table/reads.ts';
import { type Item, update, updateIf, updateOr } from '../table/table.ts';
import { commitIfUnchanged, type Write } from '../table/transactions.ts';

const capsField = object<RecipientCaps>({ perHour: number, perDay: number });
const suspensionField = object<Suspension>({ reason: oneOf(suspensionReasons), at: number });

const guardCodec = codec<Omit<SendingGuard, 'counts'>>('sending guard', {
  caps: nullable(capsField),
  hourFullAt: withDefault(number, 0),
  dayFullAt: withDefault(number, 0),
  suspension: nullable(suspensionField),
  pacingVersion: withDefault(number, 0),
  pacingSpread: withDefault(number, 0),
});

/** A count of an hour is an attribute of its own: `sent_482930`. */
const counted = ['sent', 'bounced', 'complained'] as const;
type Counted = (typeof counted)[number];
const hourPattern = /^\d{1,9}$/;

function decode(item: Item | null): SendingGuard {
  if (!item) return unusedGuard;
  const counts = new Map<number, HourCount>();
  for (const { what, hour, amount } of countsIn(item)) {
    const count = counts.get(hour) ?? { hour, sent: 0, bounced: 0, complained: 0 };
    counts.set(hour, { ...count, [what]: amount });
  }
  return { ...guardCodec.decode(item), counts: [...counts.values()] };
}

function countsIn(item: Item): { what: Counted; hour: number; amount: number }[] {
  return Object.entries(item).flatMap(([attribute, stored]) => {
    const [name = '', hour = ''] = attribute.split('_');
    const what = counted.find((one) => one === name);
    return what && hourPattern.test(hour) ? [{ what, hour: Number(hour), amount: number.read(stored) }] : [];
  });
}

export async function findSendingGuard(workspaceId: WorkspaceId): Promise<SendingGuard> {
  return decode(await get(sendingGuardKey(workspaceId)));
}

/**
 * Spends the caps on recipients and counts them. Exact under concurrency; a suspended workspace spends nothing.
 *
 * @param known the guard as last seen; it selects the form of the update
 * @param spent.caps those that hold for `known`
 * @returns the guard after the change, or as it is where the condition failed
 */
export async function spendRecipients(
  workspaceId: WorkspaceId,
  known: SendingGuard,
  {
    caps,
    recipients,
    nowMs,
  }: { readonly caps: RecipientCaps; readonly recipients: number; readonly nowMs: number },
): Promise<{ readonly isDone: boolean; readonly guard: SendingGuard }> {
  const parts = newParts();
  const { hour, day } = ratesOf(caps);
  requireSame(parts, 'suspension', undefined);
  requireSame(parts, 'caps', known.caps ? capsField.write(known.caps) : undefined);
  spend(parts, 'hourFullAt', known.hourFullAt, { rate: hour, units: recipients, nowMs });
  spend(parts, 'dayFullAt', known.dayFullAt, { rate: day, units: recipients, nowMs });
  increase(parts, `sent_${hourOf(nowMs)}`, recipients);
  // Counts of hours that no longer matter, as far as they are known.
  const old = known.counts.filter((count) => count.hour <= hourOf(nowMs) - countedHours);
  for (const { hour: past } of old) {
    for (const what of counted) {
      parts.names[`#${what}_${past}`] = `${what}_${past}`;
      parts.remove.push(`#${what}_${past}`);
    }
  }
  const { isDone, item } = await updateOr(sendingGuardKey(workspaceId), updateOf(parts));
  return { isDone, guard: decode(item) };
}

/** Gives recipients back that were spent at `atMs` and are not sent to. */
export async function returnRecipients(
  workspaceId: WorkspaceId,
  caps: RecipientCaps,
  recipients: number,
  atMs: number,
): Promise<void> {
  const { hour, day } = ratesOf(caps);
  const change = {
    increment: {
      hourFullAt: -refillMs(hour, recipients),
      dayFullAt: -refillMs(day, recipients),
      [`sent_${hourOf(atMs)}`]: -recipients,
    },
  };
  await updateIf(sendingGuardKey(workspaceId), expressionsOf(change, { exists: true }));
}

/** Counts recipients that bounced for good or complained; returns the guard with them. */
export async function countReports(
  workspaceId: WorkspaceId,
  what: 'bounced' | 'complained',
  recipients: number,
  nowMs: number,
): Promise<SendingGuard> {
  const change = { increment: { [`${what}_${hourOf(nowMs)}`]: recipients } };
  return decode(await update(sendingGuardKey(workspaceId), expressionsOf(change)));
}

/** The write that makes acceptance and pacer read the pacing rules anew. @param spread the new one; absent: as it is */
export function raisePacingVersion(workspaceId: WorkspaceId, spread?: number): Write {
  const change = { increment: { pacingVersion: 1 }, set: { pacingSpread: spread } };
  return { as: 'pacing version', update: sendingGuardKey(workspaceId), ...expressionsOf(change) };
}

/** Suspends a workspace, with the messages of this change. False where it is suspended already. */
export async function suspend(
  workspaceId: WorkspaceId,
  suspension: Suspension,
  messages: readonly OutboxMessage[],
): Promise<boolean> {
  const change = expressionsOf({ set: { suspension: suspensionField.write(suspension) } });
  const write = {
    as: 'suspension',
    update: sendingGuardKey(workspaceId),
    ...withCondition(change, { ConditionExpression: 'attribute_not_exists(#suspension)' }),
  };
  return await commitIfUnchanged(workspaceId, [write], messages);
}

/** Ends a suspension and forgets the reports that led to it. False where there is none. */
export async function resume(workspaceId: WorkspaceId): Promise<boolean> {
  const item = await get(sendingGuardKey(workspaceId));
  const reports = (item ? countsIn(item) : [])
    .filter(({ what }) => what !== 'sent')
    .map(({ what, hour }) => `${what}_${hour}`);
  const resumed = expressionsOf({ remove: ['suspension', ...reports] }, { present: ['suspension'] });
  return (await updateIf(sendingGuardKey(workspaceId), resumed)) !== null;
}

/** Sets the caps of a workspace; null: those of the deployment, with the warm-up. */
export async function setRecipientCaps(workspaceId: WorkspaceId, caps: RecipientCaps | null): Promise<void> {
  await update(
    sendingGuardKey(workspaceId),
    expressionsOf(caps ? { set: { caps: capsField.write(caps) } } : { remove: ['caps'] }),
  );
}
