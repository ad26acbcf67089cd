/** Holds, one for each region at most: that SES takes nothing there, and which mail waits. */
import type { Hold } from '../domain/hold.ts';
import { holdKey } from './keys.ts';
import { get, type Item, updateIf } from './table.ts';

/** The hold of a region, over or not; null where there never was one. */
export async function findHold(region: string): Promise<Hold | null> {
  const item = await get(holdKey(region));
  return item && hold(item);
}

/**
 * Notes that SES takes nothing, and returns the hold that is in force: a new one, or the one that another worker noted
 * meanwhile, which then counts from the older of the two mails.
 *
 * @param queuedAt of the mail that SES did not take
 * @param until when SES is to be asked again
 */
export async function noteHold(
  region: string,
  queuedAt: number,
  until: number,
  nowMs: number,
): Promise<Hold> {
  const began = await updateIf(holdKey(region), {
    UpdateExpression: 'SET #until = :until, since = :at, #last = if_not_exists(#last, :at)',
    ConditionExpression: 'attribute_not_exists(pk) OR #until <= :now',
    ExpressionAttributeNames: { '#until': 'until', '#last': 'last' },
    ExpressionAttributeValues: { ':until': until, ':at': queuedAt, ':now': nowMs },
  });
  if (!began) {
    await updateIf(holdKey(region), {
      UpdateExpression: 'SET since = :at',
      ConditionExpression: 'since > :at',
      ExpressionAttributeValues: { ':at': queuedAt },
    });
  }
  await joinHold(region, queuedAt);
  return (await findHold(region)) ?? { until, since: queuedAt, last: queuedAt };
}

/** Notes that a mail waits. */
export async function joinHold(region: string, queuedAt: number): Promise<void> {
  await updateIf(holdKey(region), {
    UpdateExpression: 'SET #last = :at',
    ConditionExpression: '#last < :at',
    ExpressionAttributeNames: { '#last': 'last' },
    ExpressionAttributeValues: { ':at': queuedAt },
  });
}

function hold(item: Item): Hold {
  return { until: item.until as number, since: item.since as number, last: item.last as number };
}
