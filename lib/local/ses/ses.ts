/** The local SES: identities, SendEmail, events and receiving of every mail region, behind the wire protocol of SES v2. */
import {
  type AwsCall,
  AwsError,
  type AwsResponse,
  type AwsService,
  type LocalClock,
} from '../aws/service.ts';
import { createEventGate, type EventGate } from './event-gate.ts';
import type { EventBody } from './events.ts';
import { createIdentities, type Identities, type Identity } from './identities.ts';
import { manage } from './management.ts';
import { domainOf } from './outcomes.ts';
import { permissionsOf } from './permissions.ts';
import {
  createReceiving,
  type IncomingMail,
  type ReceiptRuleSet,
  type ReceivedMail,
  type Receiving,
} from './receiving.ts';
import { lookUp, type Resolver } from './resolver.ts';
import { type ConfigurationSet, createSending, type Sending } from './sending.ts';
import type { SentMail } from './sent-mail.ts';
import { readSubmission } from './submission.ts';
import * as wire from './wire.ts';

export interface SesOptions {
  readonly clock: Pick<LocalClock, 'now' | 'at'>;
  /** Twelve digits. */
  readonly account: string;
  readonly regions: readonly string[];
  readonly resolver: Resolver;
  publish(topicArn: string, message: string): void;
  store(bucket: string, key: string, body: Buffer): Promise<void>;
  /** Whether management calls are limited to one a second and region, as SES does; default true. */
  readonly strictRate?: boolean;
  /** Whether only verified recipients and the simulator are sent to; default false. */
  readonly isSandbox?: boolean;
}

/** What became of incoming mail, by recipient: `refused` ones nobody holds. */
export interface Reception {
  readonly received: readonly ReceivedMail[];
  readonly refused: readonly string[];
}

export interface LocalSes extends AwsService {
  /** An identity that needs no DNS: the parent of provided domains. Covers its subdomains. */
  addVerifiedIdentity(region: string, domain: string): void;
  setConfigurationSet(region: string, name: string, set: ConfigurationSet): void;
  setReceiptRuleSet(region: string, ruleSet: ReceiptRuleSet): void;
  /** By name; plain data, so that a run that keeps its data can put them back. */
  identities(region: string): readonly Identity[];
  restoreIdentities(region: string, identities: readonly Identity[]): void;
  /** Whether any region takes mail for an address: what RCPT TO asks. */
  accepts(address: string): Promise<boolean>;
  /** Mail from outside, or from this SES to a domain that lives here. Any bytes will do. */
  receive(mail: IncomingMail): Promise<Reception>;
  /** What SendEmail accepted, newest last; the oldest of more than 5,000 are forgotten. */
  sent(): readonly SentMail[];
  /** Publishes an event that only the outside world could cause: an open, a click, a late bounce. */
  report(messageId: string, event: EventBody): void;
  /** Holds back, repeats and reorders the events of a region. */
  events(region: string): EventGate;
  /** Resolves when everything that was sent has been delivered and reported, but for what waits on the clock. */
  idle(): Promise<void>;
}

interface Region {
  readonly identities: Identities;
  readonly sending: Sending;
  readonly receiving: Receiving;
  readonly events: EventGate;
  readonly configurationSets: Map<string, ConfigurationSet>;
  /** When the last management call was let through. */
  managedAt: number;
}

const sentMax = 5_000;
const managementIntervalMs = 1_000;

export function createSes(options: SesOptions): LocalSes {
  const { clock, account, resolver, strictRate = true, isSandbox = false } = options;
  const sent: SentMail[] = [];
  const underWay = new Set<Promise<void>>();

  /** A failure is a fault of the local cloud itself, so it is left to end the process. */
  const later = (work: () => Promise<void>) => {
    const done = new Promise<void>((resolve) => setImmediate(resolve))
      .then(work)
      .finally(() => underWay.delete(done));
    underWay.add(done);
  };

  const receive = async (mail: IncomingMail): Promise<Reception> => {
    const homes = await Promise.all(mail.recipients.map((address) => homeOf(address)));
    const byHome = Map.groupBy(mail.recipients, (_, index) => homes[index] ?? null);
    const received: ReceivedMail[] = [];
    for (const [home, recipients] of byHome) {
      if (home !== null) received.push(...(await home.receiving.receive({ ...mail, recipients })));
    }
    return { received, refused: byHome.get(null) ?? [] };
  };

  const openRegion = (region: string): Region => {
    const identities = createIdentities({ region, now: () => clock.now(), resolver });
    const configurationSets = new Map<string, ConfigurationSet>();
    const events = createEventGate(options.publish);
    const receiving = createReceiving({
      region,
      clock,
      identities,
      store: options.store,
      publish: options.publish,
    });
    const sending = createSending({
      region,
      account,
      clock,
      identities,
      isSandbox,
      configurationSet: (name) => configurationSets.get(name),
      publish: events.publish,
      deliver: receive,
      later,
    });
    return { identities, sending, receiving, events, configurationSets, managedAt: Number.NEGATIVE_INFINITY };
  };
  const regions = new Map(options.regions.map((region) => [region, openRegion(region)]));

  const regionOf = (name: string): Region => {
    const region = regions.get(name);
    if (region !== undefined) return region;
    throw new AwsError('BadRequestException', `The local SES has no region ${name}.`);
  };

  /** The region that receives for an address. Several may hold its domain; then the world follows its MX record. */
  const homeOf = async (address: string): Promise<Region | null> => {
    const holders: [string, Region][] = [];
    for (const entry of regions) {
      if (await entry[1].receiving.accepts(address)) holders.push(entry);
    }
    const [first, ...more] = holders;
    if (first === undefined || more.length === 0) return first?.[1] ?? null;
    const exchanges = (await lookUp(resolver.mx(domainOf(address)))) ?? [];
    const published = holders.find(([name]) =>
      exchanges.some(({ exchange }) => exchange.toLowerCase() === `inbound-smtp.${name}.amazonaws.com`),
    );
    return (published ?? first)[1];
  };

  const throttle = (region: Region) => {
    if (!strictRate) return;
    const at = clock.now();
    if (at - region.managedAt < managementIntervalMs) {
      throw new AwsError('TooManyRequestsException', 'Too many requests.', 429);
    }
    region.managedAt = at;
  };

  const sendEmail = async (call: AwsCall): Promise<AwsResponse> => {
    const submission = readSubmission(wire.readBody(wire.requests.SendEmail, call.body));
    const mail = await regionOf(call.region).sending.accept(submission, call.principal);
    sent.push(mail);
    if (sent.length > sentMax) sent.shift();
    return wire.answer({ MessageId: mail.id });
  };

  return {
    name: 'ses',
    action: wire.actionOf,
    permissions: (call) =>
      permissionsOf(call, account, (domain) => regionOf(call.region).identities.nearest(domain)?.name),
    handle: async (call) => {
      const action = wire.actionOf(call);
      if (action === 'SendEmail') return sendEmail(call);
      const region = regionOf(call.region);
      throttle(region);
      return manage(action, call, region.identities);
    },
    refuse: wire.refusalAnswer,
    addVerifiedIdentity: (region, domain) => regionOf(region).identities.trust(domain),
    setConfigurationSet: (region, name, set) => {
      regionOf(region).configurationSets.set(name, set);
    },
    setReceiptRuleSet: (region, ruleSet) => regionOf(region).receiving.setRuleSet(ruleSet),
    identities: (region) => regionOf(region).identities.list(),
    restoreIdentities: (region, identities) => regionOf(region).identities.restore(identities),
    accepts: async (address) => (await homeOf(address)) !== null,
    receive,
    sent: () => sent,
    report: (messageId, event) => {
      const mail = sent.find(({ id }) => id === messageId);
      if (mail === undefined) throw new Error(`no mail ${messageId} was sent`);
      regionOf(mail.region).sending.report(mail, event);
    },
    events: (region) => regionOf(region).events,
    idle: async () => {
      while (underWay.size > 0) await Promise.all(underWay);
    },
  };
}
