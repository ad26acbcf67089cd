/** SES: identities, sending, events and receiving of each mail region, behind the SES v2 API. */
import {
  type AwsCall,
  AwsError,
  type AwsResponse,
  type AwsService,
  type LocalClock,
} from '../aws/service.ts';
import { generousLimits, type ServiceLimits } from '../limits.ts';
import { createEventGate, type EventGate } from './event-gate.ts';
import type { EventBody } from './events.ts';
import { createIdentities, type Identities, type Identity } from './identities.ts';
import { handleManagementCall } from './management.ts';
import { domainOf } from './outcomes.ts';
import { permissionsOf } from './permissions.ts';
import {
  handleQueryCall,
  isQueryCall,
  queryActionOf,
  queryErrorResponse,
  queryPermissions,
} from './receipt-rule-sets.ts';
import {
  createReceiving,
  type IncomingMail,
  type ReceiptRule,
  type ReceiptRuleSet,
  type ReceivedMail,
  type Receiving,
  setupMessageId,
} from './receiving.ts';
import { lookUp, type Resolver } from './resolver.ts';
import { createSendQuota, type SendQuota } from './send-quota.ts';
import { type ConfigurationSet, configurationSetArn, createSending, type Sending } from './sending.ts';
import type { SentMail } from './sent-mail.ts';
import { readSubmission } from './submission.ts';
import { handleTenantCall, isTenantAction } from './tenant-calls.ts';
import { createTenants, type Tenants } from './tenants.ts';
import * as wire from './wire.ts';

export interface SesOptions {
  readonly clock: Pick<LocalClock, 'now' | 'at'>;
  /** Twelve digits. */
  readonly account: string;
  readonly regions: readonly string[];
  readonly resolver: Resolver;
  /** `sourceArn`: the configuration set or receipt rule, as in the condition key `aws:SourceArn`. */
  publish(topicArn: string, message: string, sourceArn: string): void;
  /** Writes an object; false: S3 denied it. */
  store(bucket: string, key: string, body: Buffer, sourceArn: string): Promise<boolean>;
  /** Whether the topic's policies let SES publish; default: yes. */
  mayPublish?(topicArn: string, sourceArn: string): boolean;
  /** Whether the bucket's policy lets SES write an object; default: yes. */
  mayStore?(bucket: string, key: string, sourceArn: string): boolean;
  /** Delivers sent mail to recipients at no verified domain; default: it goes nowhere. */
  deliverOutside?(mail: IncomingMail): void;
  /** Rates and quotas per region; default: the generous ones. */
  readonly limits?: Partial<ServiceLimits['ses']>;
  /** Whether to send set-up notifications when event destinations and receipt rules are created; default false. */
  readonly sendsSetupNotifications?: boolean;
  /** Whether sending is restricted to verified recipients and the mailbox simulator; default false. */
  readonly isSandbox?: boolean;
}

/** The result of incoming mail: completed actions, and recipients at no verified domain. */
export interface ReceiveResult {
  readonly received: readonly ReceivedMail[];
  readonly refused: readonly string[];
}

export interface LocalSes extends AwsService {
  /** Adds an identity that is verified without DNS: the parent of provided domains. */
  addVerifiedIdentity(region: string, domain: string): void;
  /** Creates a configuration set with its event destination. @throws AwsError when SES may not publish to the topic */
  setConfigurationSet(region: string, name: string, set: ConfigurationSet): void;
  /** Creates a receipt rule set. @throws AwsError when SES may not write to a bucket or publish to a topic */
  setReceiptRuleSet(region: string, ruleSet: ReceiptRuleSet): void;
  /** Ordered by name; plain data that `restoreIdentities` accepts. */
  identities(region: string): readonly Identity[];
  restoreIdentities(region: string, identities: readonly Identity[]): void;
  /** Whether RCPT TO accepts an address in any region. */
  accepts(address: string): Promise<boolean>;
  /** Receives mail from outside or from this SES. */
  receive(mail: IncomingMail): Promise<ReceiveResult>;
  /** The last 5,000 mails that SendEmail accepted, newest last. */
  sent(): readonly SentMail[];
  /** Publishes an event of a sent mail: an open, a click, a late bounce. */
  publishEvent(messageId: string, event: EventBody): void;
  /** The tenants of a region. */
  tenants(region: string): Pick<Tenants, 'list' | 'pause' | 'remove'>;
  /** Holds, repeats and reorders the events of a region. */
  events(region: string): EventGate;
  /** Resolves when all sent mail is delivered and its events are published, except delayed mail. */
  idle(): Promise<void>;
}

interface Region {
  readonly identities: Identities;
  readonly sending: Sending;
  readonly receiving: Receiving;
  readonly events: EventGate;
  readonly tenants: Tenants;
  readonly configurationSets: Map<string, ConfigurationSet>;
  readonly quota: SendQuota;
  /** Time of the last management call that was not throttled. */
  lastManagementCallAt: number;
}

const sentMax = 5_000;
/** The text that SES publishes to a topic when an event destination is created. */
const topicValidation = 'Successfully validated SNS topic for Amazon SES event publishing.';

export function createSes(options: SesOptions): LocalSes {
  const { clock, account, resolver, isSandbox = false } = options;
  const limits = { ...generousLimits.ses, ...options.limits };
  const sent: SentMail[] = [];
  const pending = new Set<Promise<void>>();

  /** Runs work in the background. A rejection is a defect of the local cloud and ends the process. */
  const later = (work: () => Promise<void>) => {
    const done = new Promise<void>((resolve) => setImmediate(resolve))
      .then(work)
      .finally(() => pending.delete(done));
    pending.add(done);
  };

  const receive = async (mail: IncomingMail): Promise<ReceiveResult> => {
    const regionsOfRecipients = await Promise.all(
      mail.recipients.map((address) => receivingRegionOf(address)),
    );
    const byRegion = Map.groupBy(mail.recipients, (_, index) => regionsOfRecipients[index] ?? null);
    const received: ReceivedMail[] = [];
    for (const [region, recipients] of byRegion) {
      if (region !== null) received.push(...(await region.receiving.receive({ ...mail, recipients })));
    }
    return { received, refused: byRegion.get(null) ?? [] };
  };

  const mayPublish = (topicArn: string, sourceArn: string) =>
    options.mayPublish?.(topicArn, sourceArn) ?? true;

  /** SES tests bucket and topic when a receipt rule is created (SES API reference, "CreateReceiptRule"). */
  const checkRule = ({ s3: { bucket, prefix, topicArn } }: ReceiptRule, sourceArn: string) => {
    const key = `${prefix}${setupMessageId}`;
    if (!(options.mayStore?.(bucket, key, sourceArn) ?? true)) {
      return new AwsError('InvalidS3Configuration', `Could not write to bucket: ${bucket}`);
    }
    if (!mayPublish(topicArn, sourceArn)) {
      return new AwsError('InvalidSnsTopic', `Could not publish to SNS topic: ${topicArn}`);
    }
    return true;
  };

  const openRegion = (region: string): Region => {
    const identities = createIdentities({ region, now: () => clock.now(), resolver });
    const configurationSets = new Map<string, ConfigurationSet>();
    const events = createEventGate(options.publish);
    const tenants = createTenants(
      (resource) => arnOf(region, resource),
      () => clock.now(),
    );
    const receiving = createReceiving({
      region,
      clock,
      account,
      identities,
      store: options.store,
      publish: options.publish,
      mayAct: checkRule,
    });
    const sending = createSending({
      region,
      account,
      clock,
      identities,
      isSandbox,
      tenants,
      configurationSet: (name) => configurationSets.get(name),
      publish: events.publish,
      deliver: async (mail) => {
        const { refused } = await receive(mail);
        if (refused.length > 0) options.deliverOutside?.({ ...mail, recipients: refused });
      },
      later,
    });
    return {
      identities,
      sending,
      receiving,
      events,
      tenants,
      configurationSets,
      quota: createSendQuota(limits, () => clock.now()),
      lastManagementCallAt: Number.NEGATIVE_INFINITY,
    };
  };
  const regions = new Map(options.regions.map((region) => [region, openRegion(region)]));

  const regionOf = (name: string): Region => {
    const region = regions.get(name);
    if (region !== undefined) return region;
    throw new AwsError('BadRequestException', `The local SES has no region ${name}.`);
  };

  /** The region that receives mail for an address: when several accept it, the one of its MX record. */
  const receivingRegionOf = async (address: string): Promise<Region | null> => {
    const candidates: [string, Region][] = [];
    for (const entry of regions) {
      if (await entry[1].receiving.accepts(address)) candidates.push(entry);
    }
    const [first, ...more] = candidates;
    if (first === undefined || more.length === 0) return first?.[1] ?? null;
    const exchanges = (await lookUp(resolver.mx(domainOf(address)))) ?? [];
    const published = candidates.find(([name]) =>
      exchanges.some(({ exchange }) => exchange.toLowerCase() === `inbound-smtp.${name}.amazonaws.com`),
    );
    return (published ?? first)[1];
  };

  const arnOf = (region: string, resource: string) => `arn:aws:ses:${region}:${account}:${resource}`;

  /** Whether an identity or a configuration set exists. */
  const existsIn = ({ identities, configurationSets }: Region, region: string, arn: string) =>
    identities.list().some(({ name }) => arn === arnOf(region, `identity/${name}`)) ||
    [...configurationSets.keys()].some((name) => arn === configurationSetArn(region, account, name));

  const throttle = (region: Region) => {
    const at = clock.now();
    if (at - region.lastManagementCallAt < 1000 / limits.managementCallsPerSecond) {
      throw new AwsError('TooManyRequestsException', 'Too many requests.', 429);
    }
    region.lastManagementCallAt = at;
  };

  const sendEmail = async (call: AwsCall): Promise<AwsResponse> => {
    const submission = readSubmission(wire.readBody(wire.requests.SendEmail, call.body));
    const { quota, sending } = regionOf(call.region);
    quota.take(submission.recipients.length);
    const mail = await sending.accept(submission, call.principal);
    sent.push(mail);
    if (sent.length > sentMax) sent.shift();
    return wire.okResponse({ MessageId: mail.id });
  };

  return {
    name: 'ses',
    action: (call) => (isQueryCall(call) ? queryActionOf(call) : wire.actionOf(call)),
    permissions: (call) =>
      isQueryCall(call)
        ? queryPermissions(call)
        : permissionsOf(
            call,
            account,
            (domain) => regionOf(call.region).identities.nearest(domain)?.name,
            (name) =>
              regionOf(call.region)
                .tenants.list()
                .find((tenant) => tenant.name === name)?.arn,
          ),
    handle: async (call) => {
      if (isQueryCall(call)) return handleQueryCall(call, regionOf(call.region).receiving);
      const action = wire.actionOf(call);
      if (action === 'SendEmail') return sendEmail(call);
      const region = regionOf(call.region);
      throttle(region);
      if (action === 'GetAccount') {
        return wire.okResponse(wire.presentAccount(region.quota.report(), isSandbox));
      }
      if (isTenantAction(action)) {
        return handleTenantCall(action, call, region.tenants, (arn) => existsIn(region, call.region, arn));
      }
      return handleManagementCall(
        action,
        call,
        region.identities,
        (name) => region.tenants.ofResource(arnOf(call.region, `identity/${name}`)).length > 0,
      );
    },
    errorResponse: (error, call) =>
      isQueryCall(call) ? queryErrorResponse(error) : wire.errorResponse(error),
    addVerifiedIdentity: (region, domain) => regionOf(region).identities.addVerified(domain),
    setConfigurationSet: (region, name, set) => {
      const sourceArn = configurationSetArn(region, account, name);
      if (!mayPublish(set.topicArn, sourceArn)) {
        throw new AwsError('InvalidSNSDestination', `Could not publish to SNS topic: ${set.topicArn}`);
      }
      if (options.sendsSetupNotifications) options.publish(set.topicArn, topicValidation, sourceArn);
      regionOf(region).configurationSets.set(name, set);
    },
    setReceiptRuleSet: (region, ruleSet) => {
      const { receiving } = regionOf(region);
      receiving.setRuleSet(ruleSet);
      if (options.sendsSetupNotifications) later(() => receiving.sendSetupNotifications(ruleSet));
    },
    identities: (region) => regionOf(region).identities.list(),
    restoreIdentities: (region, identities) => regionOf(region).identities.restore(identities),
    accepts: async (address) => (await receivingRegionOf(address)) !== null,
    receive,
    sent: () => sent,
    publishEvent: (messageId, event) => {
      const mail = sent.find(({ id }) => id === messageId);
      if (mail === undefined) throw new Error(`no mail ${messageId} was sent`);
      regionOf(mail.region).sending.publishEvent(mail, event);
    },
    tenants: (region) => regionOf(region).tenants,
    events: (region) => regionOf(region).events,
    idle: async () => {
      while (pending.size > 0) await Promise.all(pending);
    },
  };
}
