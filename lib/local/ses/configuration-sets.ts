/** The configuration sets of one region, each with its one event destination. */
import { AwsError } from '../aws/service.ts';
import type { SuppressionReason } from './account-suppression.ts';
import type { ArnOf } from './arns.ts';
import type { SesConnections } from './connections.ts';
import type { EventType } from './events.ts';

export interface ConfigurationSet {
  readonly topicArn: string;
  readonly eventTypes: readonly EventType[];
  /** Overrides the account's reasons of suppression. */
  readonly suppressedReasons?: readonly SuppressionReason[];
}

export interface ConfigurationSets {
  /** Creates or replaces a set. @throws AwsError when SES may not publish to its topic */
  put(name: string, set: ConfigurationSet): void;
  get(name: string): ConfigurationSet | undefined;
  arns(): string[];
}

export interface ConfigurationSetsOptions {
  readonly connections: Pick<SesConnections, 'publish' | 'mayPublish'>;
  readonly arnOf: ArnOf;
  readonly sendsSetupNotifications: boolean;
}

/** The text that SES publishes to a topic when an event destination is created. */
const topicValidation = 'Successfully validated SNS topic for Amazon SES event publishing.';

export function createConfigurationSets(options: ConfigurationSetsOptions): ConfigurationSets {
  const { connections } = options;
  const byName = new Map<string, ConfigurationSet>();
  const arnOf = (name: string) => options.arnOf(`configuration-set/${name}`);
  return {
    put: (name, set) => {
      if (!(connections.mayPublish?.(set.topicArn, arnOf(name)) ?? true)) {
        throw new AwsError('InvalidSNSDestination', `Could not publish to SNS topic: ${set.topicArn}`);
      }
      if (options.sendsSetupNotifications) connections.publish(set.topicArn, topicValidation, arnOf(name));
      byName.set(name, set);
    },
    get: (name) => byName.get(name),
    arns: () => [...byName.keys()].map(arnOf),
  };
}
