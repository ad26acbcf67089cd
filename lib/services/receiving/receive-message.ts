/** The inbound pipeline: a received message becomes an email of its thread, once in every space it was sent to. */
import { createHash } from 'node:crypto';
import { now } from '../../adapters/clock.ts';
import { newId } from '../../adapters/ids.ts';
import { getObject } from '../../adapters/objects.ts';
import type { AttachmentRecord } from '../../core/attachment.ts';
import type { ReceivingDomain } from '../../core/domains/sender-domain.ts';
import type { EmailContent, EmailHead } from '../../core/email.ts';
import { type EmailId, idTime, type ThreadId } from '../../core/ids.ts';
import { inboundActionOf } from '../../core/inbound-policy.ts';
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
import { findReceivingDomains } from '../../storage/domain-claims.ts';
import { storeContent } from '../../storage/email-content.ts';
import { createEmail } from '../../storage/emails.ts';
import { indexArrivingId, waitForMissingParents } from '../../storage/message-ids.ts';
import { claimReceived, findReceived } from '../../storage/received.ts';
import { addToThread, createThread } from '../../storage/threads.ts';
import { ConditionFailed, commit, type Write } from '../../storage/transactions.ts';
import { findWorkspaceSettings } from '../../storage/workspaces.ts';
import { conflict, retryOnConflict } from '../retry-on-conflict.ts';
import { optOutByMail } from '../suppressions/opt-out.ts';
import { addRecipientsOfCopy } from '../threads/add-mailboxes.ts';
import { addressesOfMessage, resolveThread, withoutReplyToken } from '../threads/resolve-thread.ts';
import { newEvent } from '../webhooks/new-event.ts';
import { isReturnedOwnMail } from './find-sent.ts';
import { receivedMessages, storeReceivedFiles } from './received-files.ts';
import { recordMailReport } from './record-mail-report.ts';

/** A space that a message was sent to, with its recipients there. */
interface Target {
  readonly domain: ReceivingDomain;
  readonly recipients: readonly string[];
}

/** A received message, parsed once for all its targets. */
interface InboundMessage {
  readonly received: ReceiptNotification;
  readonly message: ParsedMessage;
  readonly fingerprint: string;
  readonly content: Omit<EmailContent, 'attachments' | 'envelope'>;
}

/** Processes a notification of received mail. Idempotent. */
export async function receiveMessage(notification: string): Promise<void> {
  const received = parseReceiptNotification(notification);
  if (!received) return logEvent('inbound.setup_notification', {});
  const targets = await targetsOf(received.recipients);
  if (targets.length === 0) {
    // No bounce is sent: the sender may be forged (backscatter, RFC 3834, section 2).
    count('InboundDroppedNoRecipient', null);
    return logEvent('inbound.dropped.no_recipient', {
      ses_id: received.sesId,
      recipients: received.recipients.length,
    });
  }
  const inbound = await parseInbound(received, targets.length > 1);
  const hops = countHops(inbound.message.headers);
  if (hops > hopsMax) {
    count('InboundDroppedMailLoop', null);
    return logEvent('inbound.dropped.mail_loop', { ses_id: received.sesId, hops });
  }
  for (const target of targets) {
    const { domain, recipients } = target;
    if (await isReturnedOwnMail(domain, inbound.message.messageId, recipients)) {
      count('InboundDroppedOwnMail', domain.workspaceId);
      logEvent('inbound.dropped.own_mail', {
        ses_id: received.sesId,
        workspace_id: domain.workspaceId,
      });
      continue;
    }
    const { inboundPolicy } = await findWorkspaceSettings(domain.workspaceId);
    const { action, verdict } = inboundActionOf(inboundPolicy, received.verdicts);
    if (action === 'drop') {
      count('InboundDroppedPolicy', domain.workspaceId);
      logEvent('inbound.dropped.policy', {
        ses_id: received.sesId,
        workspace_id: domain.workspaceId,
        verdict: verdict ?? '',
      });
      continue;
    }
    const id = await storeInSpace(inbound, target, action === 'mark');
    // After the commit, and also when the message is received again: a crash in between must not lose the report.
    await recordMailReport(domain, { ...received, message: inbound.message, at: idTime(id) });
    await optOutByMail(domain, {
      ...received,
      message: inbound.message,
      written: inbound.content.strippedText,
    });
  }
}

/** The spaces of the envelope recipients. */
async function targetsOf(recipients: readonly string[]): Promise<Target[]> {
  const addresses = [...new Set(recipients.map((one) => normalizeAddress(one) ?? one.toLowerCase()))];
  const hosts = [...new Set(addresses.map(hostOf))];
  const domainsByHost = new Map(
    await Promise.all(hosts.map(async (host) => [host, await findReceivingDomains(host)] as const)),
  );
  const targets = new Map<string, { domain: ReceivingDomain; recipients: string[] }>();
  for (const address of addresses) {
    for (const domain of domainsByHost.get(hostOf(address)) ?? []) {
      const space = `${domain.workspaceId} ${domain.spaceId}`;
      const target = targets.get(space) ?? { domain, recipients: [] };
      target.recipients.push(address);
      targets.set(space, target);
    }
  }
  return [...targets.values()];
}

/** The message without its raw bytes, which are released: a message may have 40 MB. */
async function parseInbound(received: ReceiptNotification, isShared: boolean): Promise<InboundMessage> {
  const raw = await getObject(received.raw);
  const message = await parseMime(raw);
  if (message.problems.length > 0) {
    logEvent('inbound.parsed_partially', { ses_id: received.sesId, problems: message.problems });
  }
  const text = message.text ?? (message.html === null ? null : textOf(message.html));
  const { segments, strippedText, strippedHtml } = strip({ text, html: message.html });
  const fingerprint = fingerprintOf(received, message, raw);
  return {
    received,
    message,
    fingerprint,
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
      arrival: { fingerprint, inReplyTo: message.inReplyTo, isShared },
    },
  };
}

function textOf(html: string): string {
  return truncateText(textOfHtml(html), receivedTextBudget.plain).trimEnd();
}

/**
 * Identifies a message across repetitions: SES repeats notifications, and a sending server whose connection broke sends
 * the message again, with other trace headers (RFC 5321, 4.4).
 */
function fingerprintOf(received: ReceiptNotification, message: ParsedMessage, raw: Buffer): string {
  if (!message.messageId) return received.sesId;
  const bodyAt = raw.indexOf('\r\n\r\n');
  return createHash('sha256')
    .update([message.messageId, message.date, message.from?.address, message.subject].join('\n'))
    .update(bodyAt < 0 ? raw : raw.subarray(bodyAt))
    .digest('hex');
}

/** Addresses that a head holds; lists read heads. */
const headAddressesMax = 100;
/** Commits that may conflict with other messages of the thread. */
const joinTriesMax = 10;
/** Writes whose conditions fail where the thread resolution is outdated. */
const resolutionWrites: ReadonlySet<string> = new Set(['thread', 'message id', 'missing parent']);

/** Stores the message in a space; returns the id of its email there, also where it was received before. */
async function storeInSpace(inbound: InboundMessage, target: Target, suspicious: boolean): Promise<EmailId> {
  const { workspaceId, spaceId } = target.domain;
  const known = await findReceived(workspaceId, spaceId, inbound.fingerprint);
  if (known) {
    await addRecipientsOfCopy(workspaceId, known, mailboxesOf(target));
    return known;
  }
  const id = newId('eml');
  const files = await storeReceivedFiles(workspaceId, id, inbound.message.attachments);
  const attachments = files.map(({ extraction: _, ...file }) => file);
  const content = { ...inbound.content, attachments, envelope: target.recipients };
  const contentWrites = await storeContent(workspaceId, id, content);
  return await retryOnConflict(
    `thread of email ${id}`,
    async () => {
      const { thread, missingParents, waitingThread } = await resolveThread({
        scope: target.domain,
        recipients: target.recipients,
        message: inbound.message,
        at: now(),
        suspicious,
      });
      const threadId = thread?.id ?? newId('thr');
      const head = { ...headOf(inbound, target, id, threadId), suspicious };
      const owner = { emailId: id, threadId, waitingThread };
      try {
        await commit(
          workspaceId,
          [
            ...createEmail(workspaceId, head),
            claimReceived(workspaceId, spaceId, inbound.fingerprint, id),
            indexArrivingId(workspaceId, spaceId, head.messageId, owner),
            ...waitForMissingParents(workspaceId, spaceId, missingParents, { own: head.messageId, threadId }),
            ...contentWrites,
            ...threadWrites(inbound, target, head, thread),
          ],
          messagesFor(target, head, files, thread === null),
        );
        count('EmailsReceived', workspaceId);
        return id;
      } catch (error) {
        if (!(error instanceof ConditionFailed)) throw error;
        if (error.write === 'received') return await storeInSpace(inbound, target, suspicious);
        if (resolutionWrites.has(error.write)) return conflict;
        throw error;
      }
    },
    joinTriesMax,
  );
}

/** The addresses on our side that a message went through. */
function mailboxesOf({ recipients }: Target): string[] {
  return recipients.map(withoutReplyToken);
}

function headOf(
  { message, received, content }: InboundMessage,
  { domain, recipients }: Target,
  id: EmailId,
  threadId: ThreadId,
): Omit<EmailHead, 'suspicious'> {
  const from = message.from ?? { name: null, address: received.returnPath };
  return {
    id,
    threadId,
    spaceId: domain.spaceId,
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
    domainId: domain.domainId,
    mailboxId: null,
    createdAt: now(),
    scheduledAt: null,
    sentAt: message.date,
    revision: 1,
  };
}

function threadWrites(
  { message }: InboundMessage,
  target: Target,
  head: EmailHead,
  thread: Thread | null,
): Write[] {
  const { domain, recipients } = target;
  const activity = {
    emailId: head.id,
    at: head.createdAt,
    snippet: head.snippet,
    direction: 'inbound' as const,
    from: head.from,
    to: message.to,
    participants: mergeParticipants(thread?.participants ?? [], addressesOfMessage(message)),
    mailboxes: mailboxesOf(target),
  };
  if (thread) return addToThread(domain.workspaceId, thread, activity);
  const created = {
    id: head.threadId,
    spaceId: head.spaceId,
    subject: head.subject,
    mailbox: recipients[0] ?? '',
    forwardOf: null,
  };
  return createThread(domain.workspaceId, created, activity);
}

function messagesFor(
  { domain: { workspaceId } }: Target,
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
