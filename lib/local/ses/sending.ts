/** SendEmail of one region: sender verification, delivery, events. */
import { AwsError, type LocalClock } from '../aws/service.ts';
import { createAccountSuppression, defaultReasons, type SuppressionReason } from './account-suppression.ts';
import {
  bounceEvent,
  complaintEvent,
  deliveryDelayEvent,
  deliveryEvent,
  type EventBody,
  type EventType,
  eventJson,
  rejectEvent,
  sendEvent,
  suppressedComplaintEvent,
} from './events.ts';
import type { Identities, Identity } from './identities.ts';
import { defaultReturnPathDomain, newMessageId } from './ids.ts';
import { byDomain, domainOf, isSimulator, outcomeOf } from './outcomes.ts';
import type { IncomingMail } from './receiving.ts';
import { type SentMail, wireForm } from './sent-mail.ts';
import type { Submission } from './submission.ts';
import type { Tenants } from './tenants.ts';

/** A configuration set with its one event destination. */
export interface ConfigurationSet {
  readonly topicArn: string;
  readonly eventTypes: readonly EventType[];
  /** Overrides the account's reasons of suppression. */
  readonly suppressedReasons?: readonly SuppressionReason[];
}

export interface SendingOptions {
  readonly region: string;
  readonly account: string;
  readonly clock: Pick<LocalClock, 'now' | 'at'>;
  readonly identities: Identities;
  /** Sandbox: recipients must be verified too. */
  readonly isSandbox: boolean;
  readonly tenants: Pick<Tenants, 'check'>;
  configurationSet(name: string): ConfigurationSet | undefined;
  /** `sourceArn`: the configuration set. */
  publish(topicArn: string, message: string, sourceArn: string): void;
  /** Delivers to recipients at domains of this cloud. */
  deliver(mail: IncomingMail): Promise<unknown>;
  /** Runs work after SendEmail has returned. */
  later(work: () => Promise<void>): void;
}

export interface Sending {
  /** @throws AwsError `MessageRejected`, `NotFoundException`, `MailFromDomainNotVerifiedException` */
  accept(submission: Submission, principal: string): Promise<SentMail>;
  /** Publishes an event of a sent mail. */
  publishEvent(mail: SentMail, event: EventBody): void;
}

export function configurationSetArn(region: string, account: string, name: string): string {
  return `arn:aws:ses:${region}:${account}:configuration-set/${name}`;
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

/** Delay of mail to a `+delay` address. */
const delayMs = 900_000;

export function createSending(options: SendingOptions): Sending {
  const { region, account, clock, identities, publish } = options;
  const suppression = createAccountSuppression();

  const context = () => {
    const at = clock.now();
    return { at, region, feedbackId: newMessageId(region, at) };
  };

  const setOf = ({ configurationSet }: SentMail) =>
    configurationSet === null ? undefined : options.configurationSet(configurationSet);

  const publishEvent = (mail: SentMail, event: EventBody) => {
    const set = setOf(mail);
    if (!set?.eventTypes.includes(event.type)) return;
    const sourceArn = configurationSetArn(region, account, mail.configurationSet ?? '');
    publish(set.topicArn, eventJson(mail, account, event), sourceArn);
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

  const dispatch = async (mail: SentMail) => {
    publishEvent(mail, sendEvent);
    if (mail.recipients.some((address) => outcomeOf(address) === 'reject')) {
      publishEvent(mail, rejectEvent);
      return;
    }
    for (const recipients of byDomain(mail.recipients).values()) await deliverToDomain(mail, recipients);
  };

  /** The identity of the first sender; all senders need one, in the sandbox all recipients too. */
  const sendingIdentity = async ({ senders, recipients }: Submission): Promise<Identity> => {
    const checked = options.isSandbox
      ? [...senders, ...recipients.filter((to) => !isSimulator(to))]
      : senders;
    const found = await Promise.all(checked.map((address) => identities.verified(domainOf(address))));
    const unverified = checked.filter((_, index) => found[index] === null);
    const [identity] = found;
    if (unverified.length === 0 && identity) return identity;
    throw new AwsError(
      'MessageRejected',
      `Email address is not verified. The following identities failed the check in region ${region.toUpperCase()}: ${unverified.join(', ')}`,
    );
  };

  const returnPathDomain = async ({ mailFrom }: Identity): Promise<string> => {
    if (mailFrom === null) return defaultReturnPathDomain(region);
    if ((await identities.mailFromStatus(mailFrom)) === 'SUCCESS') return mailFrom.domain;
    if (mailFrom.onMxFailure === 'USE_DEFAULT_VALUE') return defaultReturnPathDomain(region);
    throw new AwsError(
      'MailFromDomainNotVerifiedException',
      `The MAIL FROM domain ${mailFrom.domain} is not verified.`,
    );
  };

  return {
    accept: async (submission, principal) => {
      const { configurationSet } = submission;
      if (configurationSet !== null && options.configurationSet(configurationSet) === undefined) {
        throw new AwsError(
          'NotFoundException',
          `Configuration set <${configurationSet}> does not exist.`,
          404,
        );
      }
      const identity = await sendingIdentity(submission);
      if (submission.tenant !== null) {
        const set = configurationSet ?? identity.configurationSet;
        options.tenants.check(submission.tenant, [
          `arn:aws:ses:${region}:${account}:identity/${identity.name}`,
          ...(set === null ? [] : [configurationSetArn(region, account, set)]),
        ]);
      }
      const domain = await returnPathDomain(identity);
      const at = clock.now();
      const id = newMessageId(region, at);
      const mail: SentMail = {
        ...submission,
        configurationSet: configurationSet ?? identity.configurationSet,
        id,
        region,
        at,
        principal,
        identity: identity.name,
        returnPath: `${id}@${domain}`,
        wire: wireForm(submission.raw, { id, region, at }),
      };
      options.later(() => dispatch(mail));
      return mail;
    },
    publishEvent,
  };
}
