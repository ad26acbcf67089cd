/** The SNS API (AWS query protocol): policies and subscriptions of topics. Services publish in process. */
import { unsupported } from './json-protocol.ts';
import { queryError, queryResponse } from './query-protocol.ts';
import { elements } from './s3-xml.ts';
import { type AwsCall, AwsError, type AwsService } from './service.ts';
import type { Sns, SubscriptionEntry } from './sns.ts';

const namespace = 'http://sns.amazonaws.com/doc/2010-03-31/';
const actions = [
  'GetTopicAttributes',
  'ListSubscriptionsByTopic',
  'Subscribe',
  'ConfirmSubscription',
] as const;
type Action = (typeof actions)[number];

const parameters = (call: AwsCall) => new URLSearchParams(call.body.toString());

export function createSnsApi(
  sns: Pick<Sns, 'subscriptionsOf' | 'subscribeEmail' | 'confirmEmail'>,
  policyOf: (arn: string) => string | null,
): AwsService {
  const actionOf = (call: AwsCall): Action => {
    const wanted = parameters(call).get('Action') ?? '';
    return actions.find((name) => name === wanted) ?? unsupported('sns', wanted);
  };
  const topicOf = (call: AwsCall): string => parameters(call).get('TopicArn') ?? '';

  function resultOf(call: AwsCall): string {
    const topic = topicOf(call);
    const subscriptions = sns.subscriptionsOf(topic);
    const given = (name: string) => parameters(call).get(name) ?? '';
    switch (actionOf(call)) {
      case 'GetTopicAttributes':
        return map('Attributes', { TopicArn: topic, Policy: policyOf(topic) });
      case 'ListSubscriptionsByTopic':
        return `<Subscriptions>${subscriptions.map((one) => member(topic, one)).join('')}</Subscriptions>`;
      case 'Subscribe':
        if (given('Protocol') !== 'email') {
          throw new AwsError('InvalidParameter', 'The local cloud subscribes addresses only.');
        }
        sns.subscribeEmail(topic, given('Endpoint'));
        return elements({ SubscriptionArn: 'pending confirmation' });
      case 'ConfirmSubscription':
        // The token is in a mail, which the local cloud does not send; here it is the address.
        sns.confirmEmail(topic, given('Token'));
        return elements({ SubscriptionArn: `${topic}:${given('Token')}` });
    }
  }

  return {
    name: 'sns',
    action: actionOf,
    permissions: (call) => [{ action: `sns:${actionOf(call)}`, resource: topicOf(call) }],
    errorResponse: (error) => queryError(error, namespace),
    handle: async (call) => queryResponse(actionOf(call), namespace, resultOf(call)),
  };
}

function member(topic: string, { protocol, endpoint, isConfirmed }: SubscriptionEntry): string {
  const entry = elements({
    SubscriptionArn: isConfirmed ? `${topic}:${endpoint}` : 'PendingConfirmation',
    Protocol: protocol,
    Endpoint: endpoint,
    TopicArn: topic,
  });
  return `<member>${entry}</member>`;
}

function map(name: string, values: Readonly<Record<string, string | null>>): string {
  const entries = Object.entries(values).flatMap(([key, value]) =>
    value === null ? [] : [`<entry>${elements({ key, value })}</entry>`],
  );
  return `<${name}>${entries.join('')}</${name}>`;
}
