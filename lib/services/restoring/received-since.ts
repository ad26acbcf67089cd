/** The messages that SES has received since a time, from the raw-mail buckets of all mail regions but a lost one. */
import type { ObjectRef } from '../../adapters/object-addresses.ts';
import { listObjectsSince } from '../../adapters/objects.ts';
import { rawMailPrefix } from '../../core/receiving/raw-mail.ts';
import { env } from '../../env.ts';

/** As `lib/constructs/names.ts` names the buckets, from the one of the content. */
export async function* receivedSince(
  sinceMs: number,
  lostRegion?: string,
): AsyncGenerator<Required<ObjectRef>> {
  const { CONTENT_BUCKET: content, HOME_REGION: home, MAIL_REGIONS: regions } = env();
  for (const region of regions) {
    if (region === lostRegion) continue;
    const bucket = content.replace('-content-', '-raw-mail-').slice(0, -home.length) + region;
    yield* listObjectsSince({ bucket, key: rawMailPrefix, region }, sinceMs);
  }
}
