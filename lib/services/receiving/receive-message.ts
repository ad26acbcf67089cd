/** The inbound pipeline: mail that SES receives becomes an email of its thread, once in every space it was sent to. */
import type { ObjectRef } from '../../adapters/object-addresses.ts';
import { getObject } from '../../adapters/objects.ts';
import {
  parseReceiptNotification,
  type ReceiptNotification,
} from '../../core/receiving/receipt-notification.ts';
import { allDone } from '../../core/work/all-done.ts';
import { hostOf, normalizeAddress } from '../../mail/addresses/addresses.ts';
import { type ParsedMessage, parseMime } from '../../mail/message/parse-mime.ts';
import { countHops, hopsMax } from '../../mail/threading/mail-loop.ts';
import { count } from '../../observability/count.ts';
import { logEvent } from '../../observability/log.ts';
import {
  type ClaimsByName,
  findCoveringClaims,
  receivingAmong,
  withoutDeletedClaims,
} from '../../storage/domains/domain-claims.ts';
import { type ArrivalLookup, lookUpArrival } from '../../storage/emails/arrivals.ts';
import { expireRaw } from '../../storage/receiving/raw-messages.ts';
import { type Arrival, newArrival } from './arrival.ts';
import { receiveInSpace } from './receive-in-space.ts';
import type { Target } from './target.ts';

/** Processes a notification of received mail. Idempotent. */
export async function receiveMessage(notification: string): Promise<void> {
  const received = parseReceiptNotification(notification);
  if (!received) return logEvent('inbound.setup_notification', {});
  const recipients = [
    ...new Set(received.recipients.map((one) => normalizeAddress(one) ?? one.toLowerCase())),
  ];
  const [claims, message] = await allDone([
    findCoveringClaims(recipients.map(hostOf)),
    readMessage(received.raw),
  ]);
  const expected = targetsOf(recipients, claims);
  if (expected.length === 0) return await dropOfNobody(received);
  const hops = countHops(message.headers);
  if (hops > hopsMax) {
    count('InboundDroppedMailLoop', null);
    logEvent('inbound.dropped.mail_loop', { ses_id: received.sesId, hops });
    return await expireRaw(received.raw);
  }
  const arrival = await arrivalAt(expected, received, message);
  // One call: few claims are of deleted spaces.
  const [visited, kept] = await allDone([lookUpAll(arrival, expected), withoutDeletedClaims(claims)]);
  if (kept === claims) return await receiveInAll(arrival, visited, received);
  const left = targetsOf(recipients, kept);
  if (left.length === 0) return await dropOfNobody(received);
  const again = await arrivalAt(left, received, message);
  await receiveInAll(again, await lookUpAll(again, left), received);
}

/** No bounce is sent: the sender may be forged (backscatter, RFC 3834, section 2). */
async function dropOfNobody({ sesId, recipients, raw }: ReceiptNotification): Promise<void> {
  count('InboundDroppedNoRecipient', null);
  logEvent('inbound.dropped.no_recipient', { ses_id: sesId, recipients: recipients.length });
  await expireRaw(raw);
}

/** A separate function, so that the raw bytes can be freed. */
async function readMessage(raw: ObjectRef): Promise<ParsedMessage> {
  return await parseMime(await getObject(raw));
}

/** The spaces of the envelope recipients. */
function targetsOf(recipients: readonly string[], claims: ClaimsByName): Target[] {
  const targets = new Map<string, Target & { readonly recipients: string[] }>();
  for (const address of recipients) {
    for (const { workspaceId, spaceId, domainId } of receivingAmong(hostOf(address), claims)) {
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

async function arrivalAt(
  targets: readonly Target[],
  received: ReceiptNotification,
  message: ParsedMessage,
): Promise<Arrival> {
  const origin = { ...received, id: received.sesId, isShared: targets.length > 1, isSent: false };
  return await newArrival(message, origin);
}

/** A space with what is stored there about the message. */
interface Visited {
  readonly target: Target;
  readonly seen: ArrivalLookup;
}

async function lookUpAll(arrival: Arrival, targets: readonly Target[]): Promise<Visited[]> {
  return await allDone(
    targets.map(async (target) => ({ target, seen: await lookUpArrival(target, arrival) })),
  );
}

/** Where no space keeps the raw message, it expires. */
async function receiveInAll(
  arrival: Arrival,
  visited: readonly Visited[],
  { raw }: ReceiptNotification,
): Promise<void> {
  let isKept = false;
  for (const { target, seen } of visited) {
    if (await receiveInSpace(arrival, target, seen)) isKept = true;
  }
  if (!isKept) await expireRaw(raw);
}
