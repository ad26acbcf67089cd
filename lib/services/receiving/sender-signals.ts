/** Signals about the sender of an arriving message, which each space has of its own (docs/concepts/signals.md). */
import { directionOf } from '../../core/emails/email.ts';
import type { SpaceId, WorkspaceId } from '../../core/ids.ts';
import { isFailed } from '../../core/receiving/inbound-policy.ts';
import { addressKey, hostOf } from '../../mail/addresses/addresses.ts';
import { boundedSignals } from '../../mail/signals/signal.ts';
import { candidateIds } from '../../mail/threading/cited-ids.ts';
import type { ArrivalLookup } from '../../storage/emails/arrivals.ts';
import { rememberDomain, rememberSender } from '../../storage/emails/correspondents.ts';
import { findEmails } from '../../storage/emails/email-heads.ts';
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
  { workspaceId, recipients }: Place,
  { sender, messageIds }: ArrivalLookup,
): Promise<Arrival> {
  const { message, content, origin } = arrival;
  if (origin.isSent) return { ...arrival, content: { ...content, signals: [] } };
  // Loaded late: the list of public suffixes has 120 KB.
  const { senderSignals } = await import('../../mail/signals/sender.ts');
  const ofSender = senderSignals(message, {
    ownDomains: [...new Set(recipients.map(hostOf))],
    correspondents: [...sender.domains],
    isFirstContact: sender.isFirstContact && !(await answersOurs(workspaceId, arrival, messageIds)),
  });
  return {
    ...arrival,
    content: { ...content, signals: boundedSignals([...ofSender, ...(content.signals ?? [])]) },
  };
}

/** Emails looked at for a first message: a bound, newest first. */
const answeredMax = 4;

/** Whether a message cites an email that its space has sent to its author, whom nothing shows to be forged. */
async function answersOurs(
  workspaceId: WorkspaceId,
  { message, origin }: Pick<Arrival, 'message' | 'origin'>,
  messageIds: ArrivalLookup['messageIds'],
): Promise<boolean> {
  if (isFailed(origin.verdicts.dmarc)) return false;
  const author = message.from && addressKey(message.from.address);
  const cited = candidateIds(message).flatMap((id) => messageIds.get(id)?.emailId ?? []);
  if (author === null || cited.length === 0) return false;
  const emails = await findEmails(workspaceId, [...new Set(cited)].slice(0, answeredMax));
  return emails.some(
    (email) =>
      email !== null &&
      directionOf(email.status) === 'outbound' &&
      email.sentAt !== null &&
      [...email.to, ...email.others].some(({ address }) => addressKey(address) === author),
  );
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
