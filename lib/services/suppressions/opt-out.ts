/** Opting out by link, by a mail program's button and by mail (docs/concepts/suppressions.md#unsubscribe-links). */
import { now } from '../../adapters/clock.ts';
import type { SuppressionScope } from '../../core/emails/email.ts';
import {
  directionOf,
  type EmailHead,
  type FullEmail,
  type HistoryEntry,
  historyEntryId,
  type OptOutSource,
} from '../../core/emails/email.ts';
import { envelopeOf } from '../../core/emails/envelope.ts';
import type { WorkspaceId } from '../../core/ids.ts';
import { isFailed } from '../../core/receiving/inbound-policy.ts';
import { allKeys } from '../../core/suppressions/suppression.ts';
import type { Link } from '../../core/tracking/links.ts';
import { tokenOfSubject } from '../../core/tracking/unsubscribe.ts';
import type { MailScope } from '../../core/workspaces/space.ts';
import { addressKey } from '../../mail/addresses/addresses.ts';
import { isOptOut } from '../../mail/category/opt-out.ts';
import type { ParsedMessage } from '../../mail/message/parse-mime.ts';
import type { Verdicts } from '../../mail/message/verdicts.ts';
import { findFullEmail } from '../../storage/emails/emails.ts';
import { addHistoryEntry } from '../../storage/emails/history.ts';
import { findEmailByMessageId } from '../../storage/emails/message-ids.ts';
import { suppressIfAbsent } from '../../storage/sending/suppressions.ts';
import { commitIfUnchanged } from '../../storage/table/transactions.ts';
import { newEvent } from '../events/new-event.ts';
import { readLink } from '../tracking/links.ts';

/** A recipient of an email who can opt out. */
export interface Subscriber {
  readonly workspaceId: WorkspaceId;
  readonly email: EmailHead;
  readonly address: string;
}

/** The list that opting out of an email puts a recipient on. */
export function listOf({ suppressionKey }: EmailHead): string {
  return suppressionKey ?? allKeys;
}

/** The recipient of an unsubscribe link; null for a forged link, or where its email is gone. */
export async function findSubscriber(token: string): Promise<Subscriber | null> {
  const link = await readLink('unsubscribe', token);
  return link && (await subscriberOf(link));
}

async function subscriberOf({ workspaceId, emailId, recipient }: Link): Promise<Subscriber | null> {
  const email = await findFullEmail(workspaceId, emailId);
  const address = email && recipient !== null ? recipientsOf(email)[recipient] : undefined;
  return email && address !== undefined ? { workspaceId, email: email.head, address } : null;
}

function recipientsOf({ head, content }: FullEmail): string[] {
  return envelopeOf({ ...content, to: content.to ?? head.to });
}

/** Suppresses a recipient on the email's list, with the event. Idempotent: an existing suppression stays as it is. */
export async function optOut(
  { workspaceId, email, address }: Subscriber,
  choice: { readonly scope: SuppressionScope; readonly source: OptOutSource },
): Promise<void> {
  const at = now();
  const entry: HistoryEntry = {
    type: 'unsubscribed',
    at,
    recipients: [address],
    detail: choice.scope,
    optOut: choice,
  };
  const { id: emailId, spaceId } = email;
  const entryId = historyEntryId(at, `unsubscribed ${addressKey(address)}`);
  await commitIfUnchanged(
    workspaceId,
    [
      suppressIfAbsent(workspaceId, {
        address,
        key: listOf(email),
        spaceId,
        scope: choice.scope,
        reason: 'unsubscribe',
        sourceEmailId: emailId,
        note: null,
      }),
      addHistoryEntry(workspaceId, emailId, entryId, entry),
    ],
    [{ message: newEvent(workspaceId, 'email.unsubscribed', at, { emailId, entryId }) }],
  );
}

/** A received message that may be an opt-out. */
export interface OptOutMail {
  readonly message: ParsedMessage;
  /** The author's own text, without quotes and signature. */
  readonly written: string | null;
  readonly verdicts: Verdicts;
  /** Envelope sender. */
  readonly returnPath: string;
}

/**
 * Opts out the author of a mail that says nothing else: a mail program that used the `mailto` of our headers
 * (RFC 2369, 3.2), or a person who answered optional mail with an opt-out word. An answer counts only from a recipient
 * of an email sent with `unsubscribe: true`: in a conversation, "stop" may mean anything. And only if its author is
 * proved: everybody who received the email can cite it.
 */
export async function optOutByMail(scope: MailScope, arrived: OptOutMail): Promise<void> {
  const { message, verdicts } = arrived;
  if ([verdicts.spf, verdicts.dkim, verdicts.dmarc].some(isFailed)) return;
  const subscriber =
    (await subscriberOfSubject(scope, message)) ?? (await subscriberOfAnswer(scope, arrived));
  if (subscriber) await optOut(subscriber, { scope: 'all', source: 'reply' });
}

async function subscriberOfSubject(scope: MailScope, { subject }: ParsedMessage): Promise<Subscriber | null> {
  const token = tokenOfSubject(subject);
  const subscriber = token && (await findSubscriber(token));
  const isHere =
    subscriber && subscriber.workspaceId === scope.workspaceId && subscriber.email.spaceId === scope.spaceId;
  return isHere ? subscriber : null;
}

async function subscriberOfAnswer(
  { workspaceId, spaceId }: MailScope,
  { message, written, verdicts, returnPath }: OptOutMail,
): Promise<Subscriber | null> {
  const [author, [cited]] = [message.from, [...message.inReplyTo, ...message.references.toReversed()]];
  const said = written?.trim() || message.subject;
  if (!author || !cited || !isOptOut(said)) return null;
  // Loaded for opt-outs only: the list of public suffixes has 120 KB.
  const { isAuthored } = await import('../../mail/reports/authorship.ts');
  if (!isAuthored(author.address, returnPath, verdicts)) return null;
  const id = await findEmailByMessageId(workspaceId, spaceId, cited);
  const email = id && (await findFullEmail(workspaceId, id));
  if (!email?.content.links?.unsubscribe || directionOf(email.head.status) !== 'outbound') return null;
  const address = recipientsOf(email).find((one) => addressKey(one) === addressKey(author.address));
  return address === undefined ? null : { workspaceId, email: email.head, address };
}
