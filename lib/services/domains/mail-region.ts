/** The SES region that a request names. */
import { Problem } from '../../core/problems.ts';
import { env } from '../../env.ts';

/** @param region undefined: that of the deployment @throws Problem unknown_region */
export function readRegion(region: string | undefined): string {
  const { MAIL_REGIONS: known, DEFAULT_REGION } = env();
  if (region === undefined) return DEFAULT_REGION;
  if (known.includes(region)) return region;
  throw new Problem('unknown_region', `region must be one of ${known.join(', ')}.`);
}
