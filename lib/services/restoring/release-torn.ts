/** Received messages of a torn copy whose claim has come and whose email has not: nobody would receive them again (docs/regions.md#what-is-lost). */
import { type ReceivedClaim, releaseClaim } from '../../storage/restoring/received-claims.ts';
import { findStatuses } from '../../storage/restoring/unsubmitted.ts';
import { type EmailName, nameOf } from './named-since.ts';

/** Lets them be received again, unless it is a dry run. Returns the emails that have not come. */
export async function releaseTorn(claims: readonly ReceivedClaim[], isDryRun: boolean): Promise<EmailName[]> {
  const statuses = await findStatuses(claims);
  const torn = claims.filter((_, at) => statuses[at] === null);
  for (const claim of isDryRun ? [] : torn) await releaseClaim(claim);
  return torn.map(({ workspaceId, emailId }) => nameOf(workspaceId, emailId));
}
