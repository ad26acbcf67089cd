/** SendEmail of one region: who may send, what is kept of it, and what becomes of it. */
import { AwsError, type LocalClock } from '../aws/service.ts';
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
} from './events.ts';
import type { Identities, Identity } from './identities.ts';
import { defaultReturnPathDomain, newMessageId } from './ids.ts';
import { byDomain, domainOf, isSimulator, outcomeOf } from './outcomes.ts';
import type { IncomingMail } from './receiving.ts';
import { type SentMail, wireForm } from './sent-mail.ts';
import type { Submission } from './submission.ts';

/** A configuration set with its one event destination. */
export interface ConfigurationSet {
  readonly topicArn: string;
  readonly eventTypes: readonly EventType[];
}

export interface SendingOptions {
  readonly region: string;
  readonly account: string;
  readonly clock: Pick<LocalClock, 'now' | 'at'>;
  readonly identities: Identities;
  /** Whether recipients have to be verified too. */
  readonly isSandbox: boolean;
  configurationSet(name: string): ConfigurationSet | undefined;
  publish(topicArn: string, message: string): void;
  /** Delivers to the recipients that live here; the others are the world's. */
  deliver(mail: IncomingMail): Promise<unknown>;
  /** Runs after the caller of SendEmail has its answer. */
  later(work: () => Promise<void>): void;
}

export interface Sending {
  /** @throws AwsRefusal `MessageRejected`, `NotFoundException`, `MailFromDomainNotVerifiedException` */
  accept(submission: Submission, principal: string): Promise<SentMail>;
  /** Publishes an event that only the outside world could cause: an open, a click, a late bounce. */
  report(mail: SentMail, event: EventBody): void;
}

/** How long mail to a `+delay` address is under way. */
const delayMs = 900_000;

export function createSending(options: SendingOptions): Sending {
  const { region, account, clock, identities, publish } = options;

  const context = () => {
    const at = clock.now();
    return { at, region, feedbackId: newMessageId(region, at) };
  };

  const report = (mail: SentMail, event: EventBody) => {
    const set = mail.configurationSet === null ? undefined : options.configurationSet(mail.configurationSet);
    if (set?.eventTypes.includes(event.type)) publish(set.topicArn, eventJson(mail, account, event));
  };

  const arrive = async (mail: SentMail, recipients: readonly string[]) => {
    await options.deliver({ from: mail.returnPath, recipients, raw: mail.wire, isAuthenticated: true });
    report(mail, deliveryEvent(recipients, mail.at, context()));
  };

  /** One connection per domain, as SES makes, so that an event names recipients of one domain only. */
  const deliverToDomain = async (mail: SentMail, recipients: readonly string[]) => {
    const by = Map.groupBy(recipients, outcomeOf);
    for (const kind of ['bounce', 'soft-bounce', 'suppressed'] as const) {
      const failed = by.get(kind);
      if (failed !== undefined) report(mail, bounceEvent(kind, failed, context()));
    }
    const delayed = by.get('delay');
    if (delayed !== undefined) {
      report(mail, deliveryDelayEvent(delayed, context()));
      clock.at(clock.now() + delayMs, () => options.later(() => arrive(mail, delayed)));
    }
    const absent = by.get('out-of-office') ?? [];
    const complaining = by.get('complaint') ?? [];
    const arrived = [...(by.get('delivered') ?? []), ...complaining, ...absent];
    if (arrived.length > 0) await arrive(mail, arrived);
    if (complaining.length > 0) report(mail, complaintEvent(arrived, context()));
    if (absent.length > 0) report(mail, bounceEvent('out-of-office', absent, context()));
  };

  const dispatch = async (mail: SentMail) => {
    report(mail, sendEvent);
    if (mail.recipients.some((address) => outcomeOf(address) === 'reject')) {
      report(mail, rejectEvent);
      return;
    }
    for (const recipients of byDomain(mail.recipients).values()) await deliverToDomain(mail, recipients);
  };

  /** The identity that covers the first sender; every sender needs one, in the sandbox every recipient as well. */
  const vouch = async ({ senders, recipients }: Submission): Promise<Identity> => {
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
      const identity = await vouch(submission);
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
    report,
  };
}
