/** The mailbox or domain that a workspace sends an address from (docs/concepts/sending.md#from-address). */
import type { WorkspaceId } from '../../core/ids.ts';
import { type Address, hostOf } from '../../core/mail/addresses.ts';
import { Problem } from '../../core/problems.ts';
import type { Sender, SenderMailbox } from '../../core/sender.ts';
import { findSender } from '../../storage/domain-claims.ts';
import { findSenderMailbox, type MailboxClaim } from '../../storage/mailboxes.ts';

/**
 * The connected mailbox with exactly the address, else the domain of the workspace that covers it.
 *
 * @throws Problem sender_unknown, domain_unverified, mailbox_inactive
 */
export async function resolveSender(workspaceId: WorkspaceId, { address }: Address): Promise<Sender> {
  const host = hostOf(address);
  const [mailbox, domain] = await Promise.all([
    findSenderMailbox(workspaceId, address.toLowerCase()),
    findSender(workspaceId, host),
  ]);
  if (mailbox?.state === 'active') return senderMailbox(mailbox, host);
  if (domain?.isVerified) return domain;
  if (mailbox) {
    throw new Problem(
      'mailbox_inactive',
      `The mailbox ${address} is ${mailbox.state}: it has to be connected again.`,
    );
  }
  if (!domain) {
    throw new Problem('sender_unknown', `${host} is not a domain of this workspace.`, {
      issues: [{ path: 'from', message: 'must be on a verified domain of the workspace, or a mailbox' }],
    });
  }
  throw new Problem('domain_unverified', `The DKIM record of ${domain.name} has not been found in DNS yet.`);
}

function senderMailbox({ mailboxId, provider, spaceId, region }: MailboxClaim, host: string): SenderMailbox {
  return {
    mailboxId,
    provider,
    domainId: null,
    spaceId,
    region,
    name: host,
    tracking: { opens: false, clicks: false },
  };
}
