/** A message of a mailbox becomes an email of its thread, once (docs/concepts/mailboxes.md#mail-in). */
import { now } from '../../adapters/clock.ts';
import { random } from '../../adapters/random.ts';
import type { WorkspaceId } from '../../core/ids.ts';
import type { Mailbox } from '../../core/mailboxes/mailbox.ts';
import { ownIdOfSentMessage } from '../../core/mailboxes/own-message.ts';
import { ProviderError, type ProviderMessage } from '../../core/mailboxes/provider.ts';
import { nextRetryAt } from '../../core/mailboxes/schedule.ts';
import { providerVerdicts } from '../../core/mailboxes/verdicts.ts';
import type { ReceiveMailboxMessage } from '../../core/queue-messages.ts';
import { returnPathOf } from '../../mail/message/headers.ts';
import { parseMime } from '../../mail/message/parse-mime.ts';
import { countHops, hopsMax } from '../../mail/threading/mail-loop.ts';
import { count } from '../../observability/count.ts';
import { logEvent } from '../../observability/log.ts';
import { lookUpArrival } from '../../storage/emails/arrivals.ts';
import { findMailboxSync } from '../../storage/mailboxes/mailbox-syncs.ts';
import {
  addProviderMessage,
  findProviderMessage,
  findProviderThread,
  linkProviderMessage,
} from '../../storage/mailboxes/provider-messages.ts';
import { commit, commitIfUnchanged } from '../../storage/table/transactions.ts';
import { isDeletedMail } from '../../storage/teardown/erasures.ts';
import { newArrival } from '../receiving/arrival.ts';
import { receiveInSpace } from '../receiving/receive-in-space.ts';
import { storeInSpace } from '../receiving/store-in-space.ts';
import type { Target } from '../receiving/target.ts';
import { withAccessToken } from './access-token.ts';
import { completeSent, findSentThrough } from './complete-sent.ts';

/** Tries over about a day. */
const failuresMax = 100;

/**
 * Processes a `receive-mailbox-message` message. Idempotent.
 *
 * @param options.passesRules inbound rules do not count: the message was blocked, and accepted since
 * @throws Error where the provider does not give the message: as mail of SES that cannot be read, it ends in the dead-letter
 *   queue, and is read when that is redriven
 */
export async function receiveMailboxMessage(
  message: ReceiveMailboxMessage,
  { passesRules = false } = {},
): Promise<void> {
  const { workspaceId, mailboxId, messageId } = message;
  if (await findProviderMessage(workspaceId, mailboxId, messageId)) return;
  let fetched: { readonly mailbox: Mailbox; readonly found: ProviderMessage | null };
  try {
    fetched = await withAccessToken(workspaceId, mailboxId, async ({ accessToken, mailbox, mail }) => ({
      mailbox,
      found: await mail.fetchMessage(accessToken, messageId),
    }));
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error;
    return await tryAgain(message, error);
  }
  const { mailbox, found } = fetched;
  // Gone, or a draft, spam or trash by now.
  if (found) await storeMessage(workspaceId, mailbox, found, passesRules);
}

async function tryAgain(message: ReceiveMailboxMessage, error: ProviderError): Promise<void> {
  // A new connection reads again what has come meanwhile.
  if (error.kind === 'unauthorized') return;
  const failures = message.failures + 1;
  if (error.kind === 'refused' || failures > failuresMax) {
    throw new Error(`a message of the mailbox ${message.mailboxId} cannot be read: ${error.message}`);
  }
  const dueAt = nextRetryAt(now(), failures, error.retryAfterMs, random());
  await commit(message.workspaceId, [], [{ message: { ...message, failures }, dueAt }]);
}

async function storeMessage(
  workspaceId: WorkspaceId,
  mailbox: Mailbox,
  found: ProviderMessage,
  passesRules: boolean,
): Promise<void> {
  const { id: messageId, threadId: conversationId, raw, receivedAt, isSent } = found;
  const mailboxId = mailbox.id;
  const [sync, parsed] = await Promise.all([findMailboxSync(workspaceId, mailboxId), parseMime(raw)]);
  const arrival = await newArrival(parsed, {
    id: `${mailboxId} ${messageId}`,
    raw: null,
    isShared: false,
    isSent,
    returnPath: returnPathOf(parsed.headers),
    verdicts: providerVerdicts(parsed.headers, parsed.from?.address ?? null),
  });
  const ref = { mailboxId, messageId, conversationId };
  const target: Target = {
    workspaceId,
    spaceId: mailbox.spaceId,
    domainId: null,
    recipients: [mailbox.address],
    mailbox: {
      mailboxId,
      messageId,
      raw,
      receivedAt,
      // Microsoft names whole seconds.
      isHistory: receivedAt < wholeSecond(sync?.connectedAt ?? mailbox.connectedAt),
      findThread: () => findProviderThread(workspaceId, mailboxId, conversationId),
      findEmail: () => findProviderMessage(workspaceId, mailboxId, messageId),
      link: (owner) => linkProviderMessage(workspaceId, owner, ref),
      async linkCopy(emailId) {
        await commitIfUnchanged(workspaceId, [addProviderMessage(workspaceId, emailId, ref)]);
      },
    },
  };
  if (isSent) {
    const own = ownIdOfSentMessage(arrival.message);
    const email = own && (await findSentThrough(workspaceId, mailboxId, own.emailId));
    if (email) return await completeSent(workspaceId, email, ref, { own, wireId: arrival.message.messageId });
    // The copy of an email that was deleted before the mailbox told of it.
    if (own && (await isDeletedMail(workspaceId, own.emailId))) return;
    await storeInSpace(arrival, target, await lookUpArrival(target, arrival), false);
    return;
  }
  const hops = countHops(arrival.message.headers);
  if (hops > hopsMax) {
    count('InboundDroppedMailLoop', null);
    return logEvent('inbound.dropped.mail_loop', { ses_id: arrival.origin.id, hops });
  }
  const seen = await lookUpArrival(target, arrival);
  await receiveInSpace(arrival, target, passesRules ? { ...seen, usesInboundRules: false } : seen);
}

const wholeSecond = (ms: number): number => Math.floor(ms / 1000) * 1000;
