/** Holds, one for each region at most: that SES takes nothing there, and which mail waits. */
import type { RegionBackoff } from '../core/region-backoff.ts';
import { regionBackoffKey } from './keys.ts';
import { get, type Item, updateIf } from './table.ts';

/** The hold of a region, over or not; null where there never was one. */
export async function findRegionBackoff(region: string): Promise<RegionBackoff | null> {
  const item = await get(regionBackoffKey(region));
  return item && hold(item);
}

/**
 * Notes that SES takes nothing, and returns the hold that is in force: a new one, or the one that another worker noted
 * meanwhile, which then counts from the older of the two mails.
 *
 * @param queuedAt of the mail that SES did not take
 * @param until when SES is to be asked again
 */
export async function startRegionBackoff(
  region: string,
  queuedAt: number,
  until: number,
  nowMs: number,
): Promise<RegionBackoff> {
  const began = await updateIf(regionBackoffKey(region), {
    UpdateExpression: 'SET #until = :until, since = :at, #last = if_not_exists(#last, :at)',
    ConditionExpression: 'attribute_not_exists(pk) OR #until <= :now',
    ExpressionAttributeNames: { '#until': 'until', '#last': 'last' },
    ExpressionAttributeValues: { ':until': until, ':at': queuedAt, ':now': nowMs },
  });
  if (!began) {
    await updateIf(regionBackoffKey(region), {
      UpdateExpression: 'SET since = :at',
      ConditionExpression: 'since > :at',
      ExpressionAttributeValues: { ':at': queuedAt },
    });
  }
  await extendRegionBackoff(region, queuedAt);
  return (await findRegionBackoff(region)) ?? { until, since: queuedAt, last: queuedAt };
}

/** Notes that a mail waits. */
export async function extendRegionBackoff(region: string, queuedAt: number): Promise<void> {
  await updateIf(regionBackoffKey(region), {
    UpdateExpression: 'SET #last = :at',
    ConditionExpression: '#last < :at',
    ExpressionAttributeNames: { '#last': 'last' },
    ExpressionAttributeValues: { ':at': queuedAt },
  });
}

function hold(item: Item): RegionBackoff {
  return { until: item.until as number, since: item.since as number, last: item.last as number };
}
