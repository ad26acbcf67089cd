/** The mailbox or domain that a workspace sends an address from (docs/concepts/sending.md#from-address). */
import type { SpaceId, WorkspaceId } from '../../core/ids.ts';
import { Problem, type ProblemCode } from '../../core/problems.ts';
import type { Sender, SenderMailbox } from '../../core/sending/sender.ts';
import { type Address, hostOf } from '../../mail/addresses/addresses.ts';
import type { MailboxClaim } from '../../storage/mailboxes/mailbox-claims.ts';
import { findSenders } from '../../storage/sending/senders.ts';

/** A workspace cannot send from an address. */
export class SenderRefused extends Problem {
  /** The spaces of the domain and the mailbox that have the address, and none: where its email may have been sent from. */
  readonly spaces: readonly (SpaceId | null)[];

  constructor(
    code: Extract<ProblemCode, 'sender_unknown' | 'domain_unverified' | 'mailbox_inactive'>,
    detail: string,
    { spaces, issues = [] }: Pick<SenderRefused, 'spaces'> & { readonly issues?: Problem['issues'] },
  ) {
    super(code, detail, issues.length > 0 ? { issues } : {});
    this.spaces = spaces;
  }
}

/**
 * The connected mailbox with exactly the address, else the domain of the workspace that covers it.
 *
 * @throws SenderRefused sender_unknown, domain_unverified, mailbox_inactive
 */
export async function resolveSender(workspaceId: WorkspaceId, { address }: Address): Promise<Sender> {
  const host = hostOf(address);
  const { mailbox, domain } = await findSenders(workspaceId, address);
  if (mailbox?.state === 'active') return senderMailbox(mailbox, host);
  if (domain?.isVerified) return domain;
  const spaces = [...new Set([mailbox?.spaceId ?? null, domain?.spaceId ?? null, null])];
  if (mailbox) {
    const detail = `The mailbox ${address} is ${mailbox.state}: it has to be connected again.`;
    throw new SenderRefused('mailbox_inactive', detail, { spaces });
  }
  if (!domain) {
    throw new SenderRefused('sender_unknown', `${host} is not a domain of this workspace.`, {
      spaces,
      issues: [{ path: 'from', message: 'must be on a verified domain of the workspace, or a mailbox' }],
    });
  }
  const detail = `The DKIM record of ${domain.name} has not been found in DNS yet.`;
  throw new SenderRefused('domain_unverified', detail, { spaces });
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
