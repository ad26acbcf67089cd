/** Who may send as an address: the domains of the workspace (contract, section 3, "Order of a send"). */
import type { WorkspaceId } from '../../core/ids.ts';
import { type Address, hostOf } from '../../core/mail/addresses.ts';
import { Problem } from '../../core/problems.ts';
import { findSender, type VerifiedSender } from '../../storage/domains.ts';

/** The workspace's domain that holds the address. @throws Problem sender_unknown, domain_unverified */
export async function resolveSender(workspaceId: WorkspaceId, { address }: Address): Promise<VerifiedSender> {
  const host = hostOf(address);
  const sender = await findSender(workspaceId, host);
  if (!sender) {
    throw new Problem('sender_unknown', `${host} is no domain of this workspace.`, {
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
