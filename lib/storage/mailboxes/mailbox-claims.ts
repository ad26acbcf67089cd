/** Claims of mailboxes on their addresses. Apart from mailboxes: each send looks one up. */
import type { MailboxId, SpaceId, WorkspaceId } from '../../core/ids.ts';
import {
  type MailboxProviderName,
  type MailboxState,
  mailboxProviders,
  mailboxStates,
} from '../../core/mailboxes/mailbox.ts';
import { codec, id, nullable, oneOf, text } from '../table/codec.ts';
import { mailboxClaimKey } from '../table/keys.ts';
import { get } from '../table/reads.ts';

/** What the claim of a mailbox on its address says of it: enough to send from it. */
export interface MailboxClaim {
  readonly mailboxId: MailboxId;
  readonly provider: MailboxProviderName;
  readonly spaceId: SpaceId | null;
  readonly state: MailboxState;
  readonly region: string;
}

/** For stores only. */
export const claimCodec = codec<MailboxClaim>('mailbox claim', {
  mailboxId: id('mbx'),
  provider: oneOf(mailboxProviders),
  spaceId: nullable(id('spc')),
  state: oneOf(mailboxStates),
  region: text,
});

/** The claim on an address, also of a deleted space: it holds the address until it is removed. null: the address is free. */
export async function findMailboxClaim(
  workspaceId: WorkspaceId,
  address: string,
): Promise<MailboxClaim | null> {
  const item = await get(mailboxClaimKey(workspaceId, address));
  return item && claimCodec.decode(item);
}
