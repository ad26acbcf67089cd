/** Region backoffs: SES accepts nothing in a region, and since when mail waits there. One item per region. */
import type { RegionBackoff } from '../core/region-backoff.ts';
import { codec, number } from './codec.ts';
import { expressionsOf, withCondition } from './expressions.ts';
import { regionBackoffKey } from './keys.ts';
import { get, updateIf } from './table.ts';

const backoffCodec = codec<RegionBackoff>('region backoff', { until: number, since: number, last: number });

/** The backoff of a region, expired or not; null where there never was one. */
export async function findRegionBackoff(region: string): Promise<RegionBackoff | null> {
  const item = await get(regionBackoffKey(region));
  return item && backoffCodec.decode(item);
}

/**
 * Starts a backoff and returns the one in force: the new one, or one that another worker started meanwhile, which then
 * counts from the older of the two emails.
 *
 * @param queuedAt when the email that SES did not accept was queued; Unix milliseconds
 * @param until when SES is asked again
 */
export async function startRegionBackoff(
  region: string,
  queuedAt: number,
  until: number,
  nowMs: number,
): Promise<RegionBackoff> {
  const started = await updateIf(
    regionBackoffKey(region),
    withCondition(expressionsOf({ set: { until, since: queuedAt }, setOnce: { last: queuedAt } }), {
      ConditionExpression: 'attribute_not_exists(pk) OR #until <= :now',
      ExpressionAttributeValues: { ':now': nowMs },
    }),
  );
  if (!started) {
    await updateIf(
      regionBackoffKey(region),
      withCondition(expressionsOf({ set: { since: queuedAt } }), {
        ConditionExpression: '#since > :since',
      }),
    );
  }
  await extendRegionBackoff(region, queuedAt);
  return (await findRegionBackoff(region)) ?? { until, since: queuedAt, last: queuedAt };
}

/** Records that an email queued at `queuedAt` waits in the region. */
export async function extendRegionBackoff(region: string, queuedAt: number): Promise<void> {
  await updateIf(
    regionBackoffKey(region),
    withCondition(expressionsOf({ set: { last: queuedAt } }), { ConditionExpression: '#last < :last' }),
  );
}
