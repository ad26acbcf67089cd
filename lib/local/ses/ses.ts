/** SES: identities, sending, events and receiving of each mail region, behind the SES API. */
import { AwsError, type AwsService, type LocalClock } from '../aws/service.ts';
import type { Journal } from '../journal.ts';
import { generousLimits, type ServiceLimits } from '../limits.ts';
import { createSesApi } from './api.ts';
import { createBackgroundWork } from './background-work.ts';
import type { ConfigurationSet } from './configuration-sets.ts';
import type { SesConnections } from './connections.ts';
import type { LateOutcome } from './delivery.ts';
import type { EventGate } from './event-gate.ts';
import type { EventBody } from './events.ts';
import type { Identity } from './identities.ts';
import { createInboundRouting, type InboundRouting } from './inbound-routing.ts';
import type { IncomingMail } from './incoming-mail.ts';
import type { ReceiptRuleSet } from './receipt-rules.ts';
import { createRegion, type Region, type RegionOptions } from './region.ts';
import type { Resolver } from './resolver.ts';
import type { SendQuota } from './send-quota.ts';
import type { SentMail } from './sent-mail.ts';
import type { Tenants } from './tenants.ts';

export interface SesOptions extends SesConnections {
  readonly clock: Pick<LocalClock, 'now' | 'at'>;
  /** Twelve digits. */
  readonly account: string;
  readonly regions: readonly string[];
  readonly resolver: Resolver;
  /** Delivers sent mail to recipients at no verified domain; default: it goes nowhere. */
  deliverOutside?(mail: IncomingMail): void;
  /** Keeps the identities and tenants; default: nothing is kept. */
  readonly journal?: Journal | null;
  /** Rates and quotas per region; default: the generous ones. */
  readonly limits?: Partial<ServiceLimits['ses']>;
  /** Whether to send set-up notifications when event destinations and receipt rules are created; default false. */
  readonly sendsSetupNotifications?: boolean;
  /** Whether sending is restricted to verified recipients and the mailbox simulator; default false. */
  readonly isSandbox?: boolean;
}

export interface LocalSes extends AwsService, InboundRouting {
  /** Adds an identity that is verified without DNS: the parent of provided domains. */
  addVerifiedIdentity(region: string, domain: string): void;
  /** Creates a configuration set with its event destination. @throws AwsError when SES may not publish to the topic */
  setConfigurationSet(region: string, name: string, set: ConfigurationSet): void;
  /** Creates a receipt rule set. @throws AwsError when SES may not write to a bucket or publish to a topic */
  setReceiptRuleSet(region: string, ruleSet: ReceiptRuleSet): void;
  /** Ordered by name. */
  identities(region: string): readonly Identity[];
  /** The last 5,000 mails that SendEmail accepted, newest last. */
  sent(): readonly SentMail[];
  /** Calls an observer from now on. */
  observe(observer: SesObserver): void;
  /** Reports a late bounce or a complaint of a recipient. */
  reportLate(mail: SentMail, outcome: LateOutcome, recipient: string): void;
  /** `SendQuota` of GetAccount. */
  quota(region: string): ReturnType<SendQuota['report']>;
  /** Publishes an event of a sent mail: an open, a click, a late bounce. */
  publishEvent(messageId: string, event: EventBody): void;
  /** The tenants of a region. */
  tenants(region: string): Pick<Tenants, 'list' | 'pause' | 'remove'>;
  /** Holds, repeats and reorders the events of a region. */
  events(region: string): EventGate;
  /** Resolves when all sent mail is delivered and its events are published, except delayed mail. */
  idle(): Promise<void>;
}

/** Sees what SES accepts, and what becomes of it. */
export interface SesObserver {
  sent(mail: SentMail): void;
  event(mail: SentMail, event: EventBody): void;
}

const sentMax = 5_000;

export function createSes(options: SesOptions): LocalSes {
  const { account, clock, resolver, isSandbox = false, sendsSetupNotifications = false } = options;
  const background = createBackgroundWork();
  const observers: SesObserver[] = [];
  const regionOptions: RegionOptions = {
    connections: options,
    clock,
    account,
    resolver,
    journal: options.journal ?? null,
    limits: { ...generousLimits.ses, ...options.limits },
    isSandbox,
    sendsSetupNotifications,
    deliver: async (mail) => {
      const { refused } = await inbound.receive(mail);
      if (refused.length > 0) options.deliverOutside?.({ ...mail, recipients: refused });
    },
    later: background.later,
    onEvent: (mail, event) => {
      for (const observer of observers) observer.event(mail, event);
    },
  };
  const regions = new Map(options.regions.map((name) => [name, createRegion(name, regionOptions)]));
  const inbound: InboundRouting = createInboundRouting(regions, resolver);
  const sent: SentMail[] = [];

  const regionOf = (name: string): Region => {
    const region = regions.get(name);
    if (region !== undefined) return region;
    throw new AwsError('BadRequestException', `The local SES has no region ${name}.`);
  };

  const send = (mail: SentMail) => {
    sent.push(mail);
    if (sent.length > sentMax) sent.shift();
    for (const observer of observers) observer.sent(mail);
    background.later(() => regionOf(mail.region).delivery.dispatch(mail));
  };

  return {
    ...createSesApi({ account, isSandbox, regionOf, send }),
    ...inbound,
    addVerifiedIdentity: (region, domain) => regionOf(region).identities.addVerified(domain),
    setConfigurationSet: (region, name, set) => regionOf(region).configurationSets.put(name, set),
    setReceiptRuleSet: (region, ruleSet) => {
      const { receiptRules, receiving } = regionOf(region);
      receiptRules.put(ruleSet);
      if (sendsSetupNotifications) background.later(() => receiving.sendSetupNotifications(ruleSet));
    },
    identities: (region) => regionOf(region).identities.list(),
    sent: () => sent,
    observe: (observer) => void observers.push(observer),
    reportLate: (mail, outcome, recipient) =>
      regionOf(mail.region).delivery.reportLate(mail, outcome, recipient),
    quota: (region) => regionOf(region).quota.report(),
    publishEvent: (messageId, event) => {
      const mail = sent.find(({ id }) => id === messageId);
      if (mail === undefined) throw new Error(`no mail ${messageId} was sent`);
      regionOf(mail.region).delivery.publishEvent(mail, event);
    },
    tenants: (region) => regionOf(region).tenants,
    events: (region) => regionOf(region).events,
    idle: background.idle,
  };
}
