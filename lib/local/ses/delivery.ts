/** Delivery of accepted mail in one region, and the events that tell what became of it. */
import type { LocalClock } from '../aws/service.ts';
import { createAccountSuppression, defaultReasons, type SuppressionReason } from './account-suppression.ts';
import type { ArnOf } from './arns.ts';
import type { ConfigurationSets } from './configuration-sets.ts';
import type { SesConnections } from './connections.ts';
import {
  bounceEvent,
  complaintEvent,
  deliveryDelayEvent,
  deliveryEvent,
  type EventBody,
  type EventContext,
  eventJson,
  rejectEvent,
  sendEvent,
  suppressedComplaintEvent,
} from './events.ts';
import { newMessageId } from './ids.ts';
import type { IncomingMail } from './incoming-mail.ts';
import { byDomain, isSimulator, outcomeOf } from './outcomes.ts';
import type { SentMail } from './sent-mail.ts';

export interface Delivery {
  /** Delivers a mail to its recipients, as their outcomes say. */
  dispatch(mail: SentMail): Promise<void>;
  /** Publishes an event of a mail to its configuration set, if that has the event's type. */
  publishEvent(mail: SentMail, event: EventBody): void;
  /** Reports that a delivered mail bounced or was complained about later, as a recipient or its server does. */
  reportLate(mail: SentMail, outcome: LateOutcome, recipient: string): void;
}

/** What may happen to a mail after its delivery. */
export type LateOutcome = 'bounce' | 'soft-bounce' | 'complaint';

export interface DeliveryOptions {
  readonly region: string;
  readonly account: string;
  readonly arnOf: ArnOf;
  readonly clock: Pick<LocalClock, 'now' | 'at'>;
  readonly configurationSets: Pick<ConfigurationSets, 'get'>;
  readonly publish: SesConnections['publish'];
  /** Called with each event, also with those that no configuration set publishes. */
  readonly onEvent: (mail: SentMail, event: EventBody) => void;
  /** Delivers to recipients at domains of this cloud. */
  deliver(mail: IncomingMail): Promise<unknown>;
  /** Runs work in the background. */
  later(work: () => Promise<void>): void;
}

/** SES accepts mail to a suppressed address and reports it as bounced or complained about, without sending it. */
function outcomeUnderSuppression(address: string, reason: SuppressionReason | null) {
  if (reason === null) return outcomeOf(address);
  return reason === 'BOUNCE' ? 'account-suppressed-bounce' : 'account-suppressed-complaint';
}

/** Mail to the mailbox simulator suppresses no address (SES developer guide, "Using the mailbox simulator manually"). */
function withoutSimulator(addresses: readonly string[] = []): readonly string[] {
  return addresses.filter((address) => !isSimulator(address));
}

/** The event of a late outcome, and the reason for which it suppresses the address. */
function lateOutcome(outcome: LateOutcome, recipient: string, context: EventContext) {
  if (outcome === 'complaint')
    return { event: complaintEvent([recipient], context), reason: 'COMPLAINT' } as const;
  const event = bounceEvent(outcome, [recipient], context);
  return { event, reason: outcome === 'bounce' ? 'BOUNCE' : null } as const;
}

/** Delay of mail to a `+delay` address. */
const delayMs = 900_000;

export function createDelivery(options: DeliveryOptions): Delivery {
  const { region, account, clock } = options;
  const suppression = createAccountSuppression();

  const context = () => {
    const at = clock.now();
    return { at, region, feedbackId: newMessageId(region, at) };
  };

  const setOf = ({ configurationSet }: SentMail) =>
    configurationSet === null ? undefined : options.configurationSets.get(configurationSet);

  const publishEvent = (mail: SentMail, event: EventBody) => {
    options.onEvent(mail, event);
    const set = setOf(mail);
    if (!set?.eventTypes.includes(event.type)) return;
    const sourceArn = options.arnOf(`configuration-set/${mail.configurationSet}`);
    options.publish(set.topicArn, eventJson(mail, account, event), sourceArn);
  };

  const deliver = async (mail: SentMail, recipients: readonly string[]) => {
    await options.deliver({ from: mail.returnPath, recipients, raw: mail.wire, isAuthenticated: true });
    publishEvent(mail, deliveryEvent(recipients, mail.at, context()));
  };

  /** SES uses one connection per domain: an event lists recipients of one domain only. */
  const deliverToDomain = async (mail: SentMail, recipients: readonly string[]) => {
    const reasonsInForce = setOf(mail)?.suppressedReasons ?? defaultReasons;
    const by = Map.groupBy(recipients, (address) =>
      outcomeUnderSuppression(address, suppression.reasonFor(address, reasonsInForce)),
    );
    for (const kind of ['bounce', 'soft-bounce', 'suppressed', 'account-suppressed-bounce'] as const) {
      const failed = by.get(kind);
      if (failed !== undefined) publishEvent(mail, bounceEvent(kind, failed, context()));
    }
    const suppressed = by.get('account-suppressed-complaint');
    if (suppressed !== undefined) publishEvent(mail, suppressedComplaintEvent(suppressed, context()));
    const delayed = by.get('delay');
    if (delayed !== undefined) {
      publishEvent(mail, deliveryDelayEvent(delayed, context()));
      clock.at(clock.now() + delayMs, () => options.later(() => deliver(mail, delayed)));
    }
    const outOfOffice = by.get('out-of-office') ?? [];
    const complaining = by.get('complaint') ?? [];
    const delivered = [...(by.get('delivered') ?? []), ...complaining, ...outOfOffice];
    if (delivered.length > 0) await deliver(mail, delivered);
    if (complaining.length > 0) publishEvent(mail, complaintEvent(delivered, context()));
    suppression.record(withoutSimulator(by.get('bounce')), 'BOUNCE', reasonsInForce);
    suppression.record(withoutSimulator(complaining), 'COMPLAINT', reasonsInForce);
    if (outOfOffice.length > 0) publishEvent(mail, bounceEvent('out-of-office', outOfOffice, context()));
  };

  const reportLate = (mail: SentMail, outcome: LateOutcome, recipient: string) => {
    const { event, reason } = lateOutcome(outcome, recipient, context());
    publishEvent(mail, event);
    const reasonsInForce = setOf(mail)?.suppressedReasons ?? defaultReasons;
    if (reason) suppression.record(withoutSimulator([recipient]), reason, reasonsInForce);
  };

  const dispatch = async (mail: SentMail) => {
    publishEvent(mail, sendEvent);
    if (mail.recipients.some((address) => outcomeOf(address) === 'reject')) {
      publishEvent(mail, rejectEvent);
      return;
    }
    for (const recipients of byDomain(mail.recipients).values()) await deliverToDomain(mail, recipients);
  };

  return { dispatch, publishEvent, reportLate };
}
