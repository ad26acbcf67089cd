/** What a workspace may send an address from: the mailbox with exactly this address, and the domain that covers it. */

import type { SenderDomain } from '../../core/domains/sender-domain.ts';
import type { WorkspaceId } from '../../core/ids.ts';
import { allDone } from '../../core/work/all-done.ts';
import { hostOf } from '../../mail/addresses/addresses.ts';
import { coveringKeys, senderAmong } from '../domains/domain-claims.ts';
import { findMailboxClaim, type MailboxClaim } from '../mailboxes/mailbox-claims.ts';
import { getMany } from '../table/reads.ts';
import { findDeletedSpaces, isDeleted } from '../workspaces/deleted-spaces.ts';

export interface Senders {
  readonly mailbox: MailboxClaim | null;
  readonly domain: SenderDomain | null;
}

/** The mailbox and the domain of an address, each null where there is none or its space is deleted. One batch read. */
export async function findSenders(workspaceId: WorkspaceId, address: string): Promise<Senders> {
  const host = hostOf(address);
  const [deleted, claim, claims] = await allDone([
    findDeletedSpaces(workspaceId),
    findMailboxClaim(workspaceId, address.toLowerCase()),
    getMany(coveringKeys(workspaceId, host)),
  ]);
  return {
    mailbox: claim && !isDeleted(deleted, claim.spaceId) ? claim : null,
    domain: senderAmong(host, claims, deleted),
  };
}
