/** The way in: a received message becomes an email of the thread it belongs to, once in every space it was sent to. */
import { createHash } from 'node:crypto';
import { now } from '../../adapters/clock.ts';
import { newId } from '../../adapters/ids.ts';
import { getObject } from '../../adapters/objects.ts';
import type { EmailContent, EmailHead } from '../../core/email.ts';
import { type EmailId, idTime, type ThreadId } from '../../core/ids.ts';
import { limits } from '../../core/limits.ts';
import { hostOf, normalizeAddress } from '../../core/mail/addresses.ts';
import { categorize } from '../../core/mail/category.ts';
import { countHops, hopsMax } from '../../core/mail/mail-loop.ts';
import { ownMessageId } from '../../core/mail/message-ids.ts';
import { type ParsedMessage, parseMime } from '../../core/mail/parse-mime.ts';
import { parseReceiptNotification, type ReceiptNotification } from '../../core/mail/receipt-notification.ts';
import { snippet, textOfHtml } from '../../core/mail/text.ts';
import { receivedTextBudget, truncateText } from '../../core/mail/text-limits.ts';
import type { OutboxMessage } from '../../core/queue-messages.ts';
import { strip } from '../../core/quoting/strip.ts';
import type { Thread } from '../../core/thread.ts';
import { mergeParticipants } from '../../core/threading/participants.ts';
import { count } from '../../observability/count.ts';
import { logEvent } from '../../observability/log.ts';
import type { AttachmentRecord } from '../../storage/attachments.ts';
import { type DomainHolder, findHolders } from '../../storage/domains.ts';
import { storeContent } from '../../storage/email-content.ts';
import { createEmail } from '../../storage/emails.ts';
import { indexArrivingId, waitForMissingParents } from '../../storage/message-ids.ts';
import { enqueue } from '../../storage/outbox.ts';
import { claimReceived, findReceived } from '../../storage/received.ts';
import { ConditionFailed, transact, type Write } from '../../storage/table.ts';
import { addToThread, createThread } from '../../storage/threads.ts';
import { optOutByMail } from '../suppressions/opt-out.ts';
import { addressesOfMessage, resolveThread } from '../threads/resolve-thread.ts';
import { newEvent } from '../webhooks/new-event.ts';
import { isReturnedOwnMail } from './find-sent.ts';
import { receivedMessages, storeReceivedFiles } from './received-files.ts';
import { recordMailReport } from './record-mail-report.ts';

/** A space that a message was sent to, with the recipients that led there. */
interface Target {
  readonly holder: DomainHolder;
  readonly recipients: readonly string[];
}

/** A received message, read once for all its targets. */
interface Arrival {
  readonly received: ReceiptNotification;
  readonly message: ParsedMessage;
  readonly fingerprint: string;
  readonly content: Omit<EmailContent, 'attachments' | 'envelope'>;
}

/** Does what a notification of received mail asks for. Safe to repeat at any point. */
export async function receiveMessage(notification: string): Promise<void> {
  const received = parseReceiptNotification(notification);
  if (!received) return logEvent('inbound.setup_notification', {});
  const targets = await targetsOf(received.recipients);
  if (targets.length === 0) {
    // No bounce: the sender may be forged, and the answer would hit somebody else.
    count('InboundDroppedNoRecipient', null);
    return logEvent('inbound.dropped.no_recipient', {
      ses_id: received.sesId,
      recipients: received.recipients.length,
    });
  }
  const arrival = await read(received);
  const hops = countHops(arrival.message.headers);
  if (hops > hopsMax) {
    count('InboundDroppedMailLoop', null);
    return logEvent('inbound.dropped.mail_loop', { ses_id: received.sesId, hops });
  }
  for (const target of targets) {
    const { holder, recipients } = target;
    if (await isReturnedOwnMail(holder, arrival.message.messageId, recipients)) {
      count('InboundDroppedOwnMail', holder.workspaceId);
      logEvent('inbound.dropped.own_mail', {
        ses_id: received.sesId,
        workspace_id: holder.workspaceId,
      });
      continue;
    }
    const id = await storeInSpace(arrival, target);
    // After the commit, and also when the message comes again: a report that was stored but not recorded is owed.
    await recordMailReport(holder, { ...received, message: arrival.message, at: idTime(id) });
    await optOutByMail(holder, {
      ...received,
      message: arrival.message,
      written: arrival.content.strippedText,
    });
  }
}

/** Who gets the message, by envelope recipient; one target for each space. */
async function targetsOf(recipients: readonly string[]): Promise<Target[]> {
  const addresses = [...new Set(recipients.map((one) => normalizeAddress(one) ?? one.toLowerCase()))];
  const hosts = [...new Set(addresses.map(hostOf))];
  const holders = new Map(
    await Promise.all(hosts.map(async (host) => [host, await findHolders(host)] as const)),
  );
  const targets = new Map<string, { holder: DomainHolder; recipients: string[] }>();
  for (const address of addresses) {
    for (const holder of holders.get(hostOf(address)) ?? []) {
      const space = `${holder.workspaceId} ${holder.spaceId}`;
      const target = targets.get(space) ?? { holder, recipients: [] };
      target.recipients.push(address);
      targets.set(space, target);
    }
  }
  return [...targets.values()];
}

/** What comes in, without its octets: what is stored of them takes memory enough. */
async function read(received: ReceiptNotification): Promise<Arrival> {
  const raw = await getObject(received.raw);
  const message = await parseMime(raw);
  if (message.problems.length > 0) {
    logEvent('inbound.parsed_partially', { ses_id: received.sesId, problems: message.problems });
  }
  const text = message.text ?? (message.html === null ? null : textOf(message.html));
  const { segments, strippedText, strippedHtml } = strip({ text, html: message.html });
  return {
    received,
    message,
    fingerprint: fingerprintOf(received, message, raw),
    content: {
      ...(message.to.length > headAddressesMax && { to: message.to }),
      cc: message.cc,
      bcc: message.bcc,
      replyTo: message.replyTo,
      html: message.html,
      text,
      strippedText,
      strippedHtml,
      segments,
      references: message.references,
      headers: message.headers,
      verdicts: received.verdicts,
      raw: received.raw,
    },
  };
}

function textOf(html: string): string {
  return truncateText(textOfHtml(html), receivedTextBudget.plain).trimEnd();
}

/**
 * What stays the same when a message comes again: SES repeats notifications, and a sender whose connection broke
 * hands the same message over anew. Trace headers differ then, so they do not count.
 */
function fingerprintOf(received: ReceiptNotification, message: ParsedMessage, raw: Buffer): string {
  if (!message.messageId) return received.sesId;
  const bodyAt = raw.indexOf('\r\n\r\n');
  return createHash('sha256')
    .update([message.messageId, message.date, message.from?.address, message.subject].join('\n'))
    .update(bodyAt < 0 ? raw : raw.subarray(bodyAt))
    .digest('hex');
}

/** Most addresses that a head holds: lists read heads, and 10,000 recipients have no place in a list. */
const headAddressesMax = 100;
/** How often a commit begins again because another message joined the thread meanwhile. */
const joinTriesMax = 10;
/** Writes whose conditions fail when something joined, arrived or was cited since the place of the message was found. */
const joiningWrites: ReadonlySet<string> = new Set(['thread', 'message id', 'awaited id']);

/** Stores the message in a space; the id of the email it is there, also where it came before. */
async function storeInSpace(arrival: Arrival, target: Target): Promise<EmailId> {
  const { workspaceId, spaceId } = target.holder;
  const known = await findReceived(workspaceId, spaceId, arrival.fingerprint);
  if (known) return known;
  const id = newId('eml');
  const files = await storeReceivedFiles(workspaceId, id, arrival.message.attachments);
  const attachments = files.map(({ preparation: _, ...file }) => file);
  const content = { ...arrival.content, attachments, envelope: target.recipients };
  const contentWrites = await storeContent(workspaceId, id, content);
  for (let tries = 1; ; tries++) {
    const { thread, missingParents, waitingThread } = await resolveThread({
      ...target,
      message: arrival.message,
      at: now(),
    });
    const threadId = thread?.id ?? newId('thr');
    const head = headOf(arrival, target, id, threadId);
    try {
      await transact([
        createEmail(workspaceId, head),
        claimReceived(workspaceId, spaceId, arrival.fingerprint, id),
        indexArrivingId(workspaceId, spaceId, head.messageId, {
          emailId: id,
          threadId,
          waitingThread: waitingThread,
        }),
        ...waitForMissingParents(workspaceId, spaceId, missingParents, { own: head.messageId, threadId }),
        ...contentWrites,
        ...threadWrites(arrival, target, head, thread),
        ...enqueue(workspaceId, messagesFor(target, head, files, thread === null)),
      ]);
      count('EmailsReceived', workspaceId);
      return id;
    } catch (error) {
      if (!(error instanceof ConditionFailed)) throw error;
      if (error.write === 'received') return await storeInSpace(arrival, target);
      if (!joiningWrites.has(error.write) || tries === joinTriesMax) throw error;
    }
  }
}

function headOf(
  { message, received, content }: Arrival,
  { holder, recipients }: Target,
  id: EmailId,
  threadId: ThreadId,
): EmailHead {
  const from = message.from ?? { name: null, address: received.returnPath };
  return {
    id,
    threadId,
    spaceId: holder.spaceId,
    status: 'received',
    from,
    to: message.to.slice(0, headAddressesMax),
    others: [...message.cc, ...message.bcc, ...message.replyTo].slice(0, headAddressesMax),
    subject: message.subject.slice(0, limits.subjectCharacters),
    snippet: snippet(content.strippedText ?? content.text ?? ''),
    category: categorize({ ...message, verdicts: received.verdicts, text: content.text }),
    suppressionKey: null,
    messageId: message.messageId ?? ownMessageId(id, hostOf(recipients[0] ?? '')),
    inReplyTo: message.inReplyTo[0] ?? null,
    idempotencyKey: null,
    domainId: holder.domainId,
    mailboxId: null,
    createdAt: now(),
    scheduledAt: null,
    sentAt: message.date,
    revision: 1,
  };
}

function threadWrites(
  { message }: Arrival,
  { holder, recipients }: Target,
  head: EmailHead,
  thread: Thread | null,
): Write[] {
  const joining = {
    emailId: head.id,
    at: head.createdAt,
    snippet: head.snippet,
    participants: mergeParticipants(thread?.participants ?? [], addressesOfMessage(message)),
  };
  if (thread) return addToThread(holder.workspaceId, thread, joining);
  const begun = {
    id: head.threadId,
    spaceId: head.spaceId,
    subject: head.subject,
    mailbox: recipients[0] ?? '',
    forwardOf: null,
  };
  return createThread(holder.workspaceId, begun, joining);
}

function messagesFor(
  { holder: { workspaceId } }: Target,
  head: EmailHead,
  files: readonly AttachmentRecord[],
  isNewThread: boolean,
): OutboxMessage[] {
  const { id: emailId, threadId, createdAt } = head;
  const received = newEvent(workspaceId, 'email.received', createdAt, { emailId });
  const messages = receivedMessages(workspaceId, emailId, files, received);
  if (!isNewThread) return messages;
  return [...messages, { message: newEvent(workspaceId, 'thread.created', createdAt, { threadId }) }];
}
