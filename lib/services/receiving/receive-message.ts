/** The inbound pipeline: mail that SES receives becomes an email of its thread, once in every space it was sent to. */
import { getObject, type ObjectRef } from '../../adapters/objects.ts';
import { hostOf, normalizeAddress } from '../../core/mail/addresses.ts';
import { countHops, hopsMax } from '../../core/mail/mail-loop.ts';
import { type ParsedMessage, parseMime } from '../../core/mail/parse-mime.ts';
import { parseReceiptNotification } from '../../core/mail/receipt-notification.ts';
import { count } from '../../observability/count.ts';
import { logEvent } from '../../observability/log.ts';
import { findReceivingDomains } from '../../storage/domain-claims.ts';
import { newArrival } from './arrival.ts';
import { receiveInSpace } from './receive-in-space.ts';
import type { Target } from './store-in-space.ts';

/** Processes a notification of received mail. Idempotent. */
export async function receiveMessage(notification: string): Promise<void> {
  const received = parseReceiptNotification(notification);
  if (!received) return logEvent('inbound.setup_notification', {});
  const [targets, message] = await Promise.all([targetsOf(received.recipients), readMessage(received.raw)]);
  if (targets.length === 0) {
    // No bounce is sent: the sender may be forged (backscatter, RFC 3834, section 2).
    count('InboundDroppedNoRecipient', null);
    return logEvent('inbound.dropped.no_recipient', {
      ses_id: received.sesId,
      recipients: received.recipients.length,
    });
  }
  const hops = countHops(message.headers);
  if (hops > hopsMax) {
    count('InboundDroppedMailLoop', null);
    return logEvent('inbound.dropped.mail_loop', { ses_id: received.sesId, hops });
  }
  const origin = { ...received, id: received.sesId, isShared: targets.length > 1, isSent: false };
  const arrival = await newArrival(message, origin);
  for (const target of targets) await receiveInSpace(arrival, target);
}

/** Apart, so that the raw bytes may be released. */
async function readMessage(raw: ObjectRef): Promise<ParsedMessage> {
  return await parseMime(await getObject(raw));
}

/** The spaces of the envelope recipients. */
async function targetsOf(recipients: readonly string[]): Promise<Target[]> {
  const addresses = [...new Set(recipients.map((one) => normalizeAddress(one) ?? one.toLowerCase()))];
  const hosts = [...new Set(addresses.map(hostOf))];
  const domainsByHost = await findReceivingDomains(hosts);
  const targets = new Map<string, Target & { readonly recipients: string[] }>();
  for (const address of addresses) {
    for (const { workspaceId, spaceId, domainId } of domainsByHost.get(hostOf(address)) ?? []) {
      const space = `${workspaceId} ${spaceId}`;
      const target = targets.get(space) ?? {
        workspaceId,
        spaceId,
        domainId,
        recipients: [],
        mailbox: null,
      };
      target.recipients.push(address);
      targets.set(space, target);
    }
  }
  return [...targets.values()];
}
