/** Signals about the sender of an arriving message, which each space has of its own (docs/concepts/signals.md). */
import type { SpaceId, WorkspaceId } from '../../core/ids.ts';
import { isFailed } from '../../core/receiving/inbound-policy.ts';
import { hostOf } from '../../mail/addresses/addresses.ts';
import { boundedSignals } from '../../mail/signals/signal.ts';
import type { ArrivalLookup } from '../../storage/emails/arrivals.ts';
import { rememberDomain, rememberSender } from '../../storage/emails/correspondents.ts';
import type { Write } from '../../storage/table/transactions.ts';
import type { Arrival } from './arrival.ts';

/** Of the space that the message arrived in. */
interface Place {
  readonly workspaceId: WorkspaceId;
  readonly spaceId: SpaceId | null;
  readonly recipients: readonly string[];
}

/** The arrival with the signals about its sender. Mail that the owner of a mailbox sent has none. */
export async function withSenderSignals(
  arrival: Arrival,
  { recipients }: Place,
  { sender }: ArrivalLookup,
): Promise<Arrival> {
  const { message, content, origin } = arrival;
  if (origin.isSent) return { ...arrival, content: { ...content, signals: [] } };
  // Loaded late: the list of public suffixes has 120 KB.
  const { senderSignals } = await import('../../mail/signals/sender.ts');
  const ofSender = senderSignals(message, {
    ownDomains: [...new Set(recipients.map(hostOf))],
    correspondents: [...sender.domains],
    isFirstContact: sender.isFirstContact,
  });
  return {
    ...arrival,
    content: { ...content, signals: boundedSignals([...ofSender, ...(content.signals ?? [])]) },
  };
}

/** What remembers the author of a first message. */
export function firstContactWrites(
  { message, fingerprint, origin }: Arrival,
  { workspaceId, spaceId }: Place,
  { sender }: ArrivalLookup,
): Write[] {
  if (origin.isSent || message.from === null || !sender.isFirstContact) return [];
  return [rememberSender(workspaceId, spaceId, message.from.address, fingerprint)];
}

/** Remembers the domain of an author who writes again and is not known to be forged. */
export async function recordSender(
  { message: { from }, origin }: Arrival,
  { workspaceId, spaceId }: Place,
  { sender }: ArrivalLookup,
  suspicious: boolean,
): Promise<void> {
  if (origin.isSent || from === null || sender.isFirstContact) return;
  if (suspicious || isFailed(origin.verdicts.dmarc)) return;
  const { registeredDomain } = await import('../../mail/signals/lookalike.ts');
  const domain = registeredDomain(hostOf(from.address));
  if (domain === '' || sender.domains.has(domain)) return;
  await rememberDomain(workspaceId, spaceId, domain);
}
