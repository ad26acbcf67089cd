/** Opting out: what a link says of its email, and what a choice on it changes (contract, section 5, unsubscribe). */
import { now } from '../../adapters/clock.ts';
import {
  directionOf,
  type EmailHead,
  type HistoryEntry,
  type OptOutSource,
  type Verdicts,
} from '../../core/email.ts';
import type { WorkspaceId } from '../../core/ids.ts';
import type { Link } from '../../core/links.ts';
import { addressKey } from '../../core/mail/addresses.ts';
import { envelopeOf } from '../../core/mail/envelope.ts';
import { isOptOut } from '../../core/mail/opt-out.ts';
import type { ParsedMessage } from '../../core/mail/parse-mime.ts';
import { tokenOfSubject } from '../../core/mail/unsubscribe.ts';
import { allKeys, type SuppressionScope } from '../../core/suppression.ts';
import { addHistoryEntry, type FullEmail, findFullEmail } from '../../storage/emails.ts';
import { findEmailByMessageId } from '../../storage/message-ids.ts';
import { enqueue } from '../../storage/outbox.ts';
import { suppressIfAbsent } from '../../storage/suppressions.ts';
import { ifUnchanged } from '../../storage/table.ts';
import type { MailScope } from '../receiving/find-sent.ts';
import { readLink } from '../tracking/record-engagement.ts';
import { newEvent } from '../webhooks/new-event.ts';

/** A recipient of an email who may opt out. */
export interface Subscriber {
  readonly workspaceId: WorkspaceId;
  readonly email: EmailHead;
  readonly address: string;
}

/** The list that opting out of an email puts a recipient on. */
export function listOf({ suppressionKey }: EmailHead): string {
  return suppressionKey ?? allKeys;
}

/** Whom an unsubscribe link belongs to; null where it is none of ours, or its email is gone. */
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

/** Puts a recipient on the email's list, with the event. Safe to repeat: who is on it already stays as they are. */
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
  const written = addHistoryEntry(workspaceId, email.id, entry, `unsubscribed ${addressKey(address)}`);
  await ifUnchanged([
    suppressIfAbsent(workspaceId, {
      address,
      key: listOf(email),
      spaceId: email.spaceId,
      scope: choice.scope,
      reason: 'unsubscribe',
      sourceEmailId: email.id,
      note: null,
    }),
    written,
    ...enqueue(workspaceId, [
      {
        message: newEvent(workspaceId, 'email.unsubscribed', at, {
          emailId: email.id,
          entry: written.put.sk,
        }),
      },
    ]),
  ]);
}

/** A received message that may opt out. */
export interface OptOutMail {
  readonly message: ParsedMessage;
  /** What its author wrote, without quotes and signature. */
  readonly written: string | null;
  readonly verdicts: Verdicts;
}

/**
 * Opts out whoever wrote a mail that says nothing else: a mail program that followed the `mailto` of our headers, or a
 * person who answered optional mail with a word. An answer counts only of somebody the email went to, and only where it
 * was sent with `unsubscribe: true`: in a conversation, "stop" may mean anything.
 */
export async function optOutByMail(place: MailScope, arrived: OptOutMail): Promise<void> {
  const { message, verdicts } = arrived;
  if ([verdicts.spf, verdicts.dkim, verdicts.dmarc].some((verdict) => verdict?.toUpperCase() === 'FAIL'))
    return;
  const subscriber =
    (await subscriberOfSubject(place, message)) ?? (await subscriberOfAnswer(place, arrived));
  if (subscriber) await optOut(subscriber, { scope: 'all', source: 'reply' });
}

async function subscriberOfSubject(place: MailScope, { subject }: ParsedMessage): Promise<Subscriber | null> {
  const token = tokenOfSubject(subject);
  const subscriber = token && (await findSubscriber(token));
  const isHere =
    subscriber && subscriber.workspaceId === place.workspaceId && subscriber.email.spaceId === place.spaceId;
  return isHere ? subscriber : null;
}

async function subscriberOfAnswer(
  { workspaceId, spaceId }: MailScope,
  { message, written }: OptOutMail,
): Promise<Subscriber | null> {
  const [author, [cited]] = [message.from, [...message.inReplyTo, ...message.references.toReversed()]];
  const said = written?.trim() || message.subject;
  if (!author || !cited || !isOptOut(said)) return null;
  const id = await findEmailByMessageId(workspaceId, spaceId, cited);
  const email = id && (await findFullEmail(workspaceId, id));
  if (!email?.content.links?.unsubscribe || directionOf(email.head.status) !== 'outbound') return null;
  const address = recipientsOf(email).find((one) => addressKey(one) === addressKey(author.address));
  return address === undefined ? null : { workspaceId, email: email.head, address };
}
