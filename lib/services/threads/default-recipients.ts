/** The default recipients of a reply (docs/concepts/threads.md#default-recipients). */
import { directionOf, type EmailHead, type FullEmail } from '../../core/emails/email.ts';
import { type EmailId, emailThatBegan } from '../../core/ids.ts';
import { mailboxesOf, type Thread } from '../../core/threads/thread.ts';
import type { Address } from '../../mail/addresses/addresses.ts';
import {
  nobody,
  type ReplyRecipients,
  recipientsOfReceived,
  recipientsOfSent,
} from '../../mail/threading/reply-recipients.ts';
import type { OwnAddresses } from './own-addresses.ts';

/** What the recipients are chosen from. */
export interface RepliedConversation {
  readonly thread: Thread;
  /** The messages that count, newest first. */
  readonly heads: readonly EmailHead[];
  readonly replyAll: boolean;
  /** Reads one of the messages; once, however often it is called. */
  read(id: EmailId): Promise<FullEmail | null>;
  /** Finds the workspace's own addresses, of which some are known. */
  own(known: readonly string[]): OwnAddresses;
}

/** The default recipients; nobody where no message gives any. One round trip in nearly all cases. */
export async function findDefaultRecipients({
  thread,
  heads,
  replyAll,
  read,
  own: ownAddresses,
}: RepliedConversation): Promise<ReplyRecipients> {
  const received = heads.filter(givesRecipients);
  const sent = heads.filter(({ status }) => directionOf(status) === 'outbound');
  const likely = received[0] ?? sent[0];
  if (!likely) return nobody;
  const own = ownAddresses([...mailboxesOf(thread), ...addressesOf(sent.map(({ from }) => from))]);
  const named = [...received.map(({ from }) => from), ...likely.to, ...likely.others];
  await Promise.all([read(likely.id), own.lookUp(addressesOf(named))]);
  const options = { replyAll, isOwn: own.isOwn };
  const began = emailThatBegan(thread.id);
  // The form of a website begins a thread in the name of the workspace, with the visitor in Reply-To.
  for (const { id } of received.filter((one) => one.id === began || !own.isOwn(one.from.address))) {
    const message = await read(id);
    if (!message) continue;
    const fields = { ...fieldsOf(message), replyTo: await replyToOf(message, id === began) };
    await own.lookUp(addressesOf([...fields.replyTo, ...(replyAll ? [...fields.to, ...fields.cc] : [])]));
    const recipients = recipientsOfReceived(fields, options);
    if (recipients.to.length > 0) return recipients;
  }
  const last = sent[0] && (await read(sent[0].id));
  if (!last) return nobody;
  const fields = fieldsOf(last);
  await own.lookUp(addressesOf([...fields.to, ...(replyAll ? fields.cc : [])]));
  return recipientsOfSent(fields, options);
}

/** Whether a received message may give a reply its recipients: it is no bounce, and it failed no check. */
function givesRecipients({ status, category, suspicious }: EmailHead): boolean {
  return directionOf(status) === 'inbound' && category !== 'bounce' && !suspicious;
}

function fieldsOf({ head, content }: FullEmail) {
  // The head has the first recipients only.
  return { from: head.from, to: content.to ?? head.to, cc: content.cc };
}

/** Nobody else's thread is at stake where the message began it. */
async function replyToOf({ head, content }: FullEmail, began: boolean): Promise<readonly Address[]> {
  if (began || content.replyTo.length === 0) return content.replyTo;
  const { trustedReplyTo } = await import('../../mail/threading/reply-to.ts');
  return trustedReplyTo(head, content);
}

const addressesOf = (list: readonly Address[]): string[] => list.map(({ address }) => address);
