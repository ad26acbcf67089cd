/** The domain that a workspace sends an address from (docs/concepts/sending.md#from-address). */
import type { SenderDomain } from '../../core/domains/sender-domain.ts';
import type { WorkspaceId } from '../../core/ids.ts';
import { type Address, hostOf } from '../../core/mail/addresses.ts';
import { Problem } from '../../core/problems.ts';
import { findSender } from '../../storage/domain-claims.ts';

/** The domain of the workspace that covers the address. @throws Problem sender_unknown, domain_unverified */
export async function resolveSender(workspaceId: WorkspaceId, { address }: Address): Promise<SenderDomain> {
  const host = hostOf(address);
  const sender = await findSender(workspaceId, host);
  if (!sender) {
    throw new Problem('sender_unknown', `${host} is not a domain of this workspace.`, {
      issues: [{ path: 'from', message: 'must be on a verified domain of the workspace' }],
    });
  }
  if (!sender.isVerified) {
    throw new Problem(
      'domain_unverified',
      `The DKIM record of ${sender.name} has not been found in DNS yet.`,
    );
  }
  return sender;
}
