/** SES of one region: its parts, joined. */
import type { LocalClock } from '../aws/service.ts';
import type { Journal } from '../journal.ts';
import type { ServiceLimits } from '../limits.ts';
import { type ArnOf, sesArns } from './arns.ts';
import { type ConfigurationSets, createConfigurationSets } from './configuration-sets.ts';
import type { SesConnections } from './connections.ts';
import { createDelivery, type Delivery, type DeliveryOptions } from './delivery.ts';
import { createEventGate, type EventGate } from './event-gate.ts';
import { createIdentities, type Identities } from './identities.ts';
import type { IncomingMail } from './incoming-mail.ts';
import { createManagementRate, type ManagementRate } from './management-rate.ts';
import { createReceiptRules, type ReceiptRules } from './receipt-rules.ts';
import { createReceiving, type Receiving } from './receiving.ts';
import type { Resolver } from './resolver.ts';
import { createSendQuota, type SendQuota } from './send-quota.ts';
import { createSending, type Sending } from './sending.ts';
import { createTenants, type Tenants } from './tenants.ts';

export interface Region {
  readonly arnOf: ArnOf;
  readonly configurationSets: ConfigurationSets;
  readonly delivery: Delivery;
  readonly events: EventGate;
  readonly identities: Identities;
  readonly managementRate: ManagementRate;
  readonly quota: SendQuota;
  readonly receiptRules: ReceiptRules;
  readonly receiving: Receiving;
  readonly sending: Sending;
  readonly tenants: Tenants;
}

export interface RegionOptions {
  readonly connections: SesConnections;
  readonly clock: Pick<LocalClock, 'now' | 'at'>;
  /** Twelve digits. */
  readonly account: string;
  readonly resolver: Resolver;
  readonly journal: Journal | null;
  readonly limits: ServiceLimits['ses'];
  readonly isSandbox: boolean;
  readonly sendsSetupNotifications: boolean;
  /** Delivers to recipients of sent mail. */
  deliver(mail: IncomingMail): Promise<unknown>;
  /** Runs work in the background. */
  later(work: () => Promise<void>): void;
  /** Called with each event of a sent mail. */
  readonly onEvent: DeliveryOptions['onEvent'];
}

export function createRegion(region: string, options: RegionOptions): Region {
  const { account, clock, connections, limits } = options;
  const arnOf = sesArns(account, region);
  const now = () => clock.now();
  const events = createEventGate(connections.publish);
  const identities = createIdentities({
    ...{ region, now, resolver: options.resolver },
    byName: options.journal?.map(`identities ${region}`),
  });
  const configurationSets = createConfigurationSets({
    connections,
    arnOf,
    sendsSetupNotifications: options.sendsSetupNotifications,
  });
  const receiptRules = createReceiptRules(connections, arnOf);
  const tenants = createTenants(arnOf, now, options.journal?.map(`tenants ${region}`));
  return {
    arnOf,
    configurationSets,
    delivery: createDelivery({
      region,
      account,
      arnOf,
      clock,
      configurationSets,
      publish: events.publish,
      deliver: options.deliver,
      later: options.later,
      onEvent: options.onEvent,
    }),
    events,
    identities,
    managementRate: createManagementRate(limits.managementCallsPerSecond, now),
    quota: createSendQuota(limits, now),
    receiptRules,
    receiving: createReceiving({ connections, region, clock, identities, rules: receiptRules }),
    sending: createSending({
      region,
      arnOf,
      clock,
      identities,
      isSandbox: options.isSandbox,
      tenants,
      configurationSets,
    }),
    tenants,
  };
}
