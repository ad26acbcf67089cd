/**
 * The identity of the provided domain (docs/concepts/domains.md#provided-domain). The operator publishes its records after
 * the deployment. Mail that SES refuses until then waits: the identity is marked as unverified, and mail goes on once a
 * periodic check finds it verified.
 */
import { now } from '../../adapters/clock.ts';
import { isIdentityVerified } from '../../adapters/ses-identities.ts';
import { isUnder } from '../../core/domains/reserved.ts';
import { env } from '../../env.ts';
import {
  findProvidedRefusal,
  forgetProvidedRefusal,
  recordProvidedRefusal,
} from '../../storage/domains/identities.ts';

/**
 * Marks the provided domain as unverified after SES refused an email for its sender. False where the email must fail:
 * its sender is of another domain, or the mail of the provided domain has waited long enough.
 *
 * @param host of the sender's address
 */
export async function holdForProvidedDomain(region: string, host: string): Promise<boolean> {
  const suffix = env().PROVIDED_DOMAIN;
  if (suffix === '' || !isUnder(suffix, host)) return false;
  return await recordProvidedRefusal(region, now());
}

/** Releases the mail of the provided domain once SES has verified the domain. */
export async function checkProvidedDomain(): Promise<void> {
  const { DEFAULT_REGION: region, PROVIDED_DOMAIN: name } = env();
  if (name === '' || !(await findProvidedRefusal(region))) return;
  if (await isIdentityVerified(region, name)) await forgetProvidedRefusal(region);
}
