/** Whether mail and events may go from SES to the queues: policies and subscriptions of each mail region. */
import { GetBucketPolicyCommand, S3Client } from '@aws-sdk/client-s3';
import { GetTopicAttributesCommand, ListSubscriptionsByTopicCommand, SNSClient } from '@aws-sdk/client-sns';
import { GetQueueAttributesCommand, SQSClient } from '@aws-sdk/client-sqs';
import * as z from 'zod';
import { clientConfig } from '../../lib/adapters/aws-clients.ts';
import { type MailTopic, mailTopics, type Names } from '../../lib/constructs/names.ts';
import {
  type Check,
  type Deployment,
  deploymentOf,
  type Finding,
  failure,
  ofEachRegion,
  ok,
} from './check.ts';

const deployAgain = 'Deploy again; something has changed the policy since the last deployment.';

export const deliveryPolicies: Check = {
  title: 'Policies',
  needs: 'deployment',
  examine: (examined) =>
    ofEachRegion(examined, async (region) => {
      const deployment = deploymentOf(examined);
      const { names } = deployment;
      const findings = [await bucket(names, region)];
      for (const topic of mailTopics) findings.push(...(await ofTopic(deployment, topic, region)));
      return findings;
    }),
};

async function bucket(names: Names, region: string): Promise<Finding> {
  const client = new S3Client({ region, ...clientConfig() });
  const name = names.rawMailBucket(region);
  const { Policy } = await client.send(new GetBucketPolicyCommand({ Bucket: name }));
  client.destroy();
  return allows(Policy, 's3:PutObject', (service) => service === 'ses.amazonaws.com')
    ? ok(`SES may write received mail of ${region} into the bucket ${name}.`)
    : failure(`The policy of the bucket ${name} does not let SES write received mail.`, deployAgain);
}

async function ofTopic(
  { names, queueUrls }: Deployment,
  topic: MailTopic,
  region: string,
): Promise<Finding[]> {
  const sns = new SNSClient({ region, ...clientConfig() });
  const sqs = new SQSClient({ region: names.homeRegion, ...clientConfig() });
  const TopicArn = names.topicArn(topic, region);
  const [attributes, subscriptions, queue] = await Promise.all([
    sns.send(new GetTopicAttributesCommand({ TopicArn })),
    sns.send(new ListSubscriptionsByTopicCommand({ TopicArn })),
    sqs.send(new GetQueueAttributesCommand({ QueueUrl: queueUrls[topic], AttributeNames: ['Policy'] })),
  ]);
  sns.destroy();
  sqs.destroy();
  const isSubscribed = (subscriptions.Subscriptions ?? []).some(
    ({ Endpoint, SubscriptionArn }) =>
      Endpoint === names.queueArn(topic) && SubscriptionArn !== 'PendingConfirmation',
  );
  const name = names.topic(topic);
  return [
    allows(attributes.Attributes?.Policy, 'sns:Publish', (service) => service === 'ses.amazonaws.com')
      ? ok(`SES may publish to the topic ${name} in ${region}.`)
      : failure(`The policy of the topic ${name} in ${region} does not let SES publish.`, deployAgain),
    isSubscribed
      ? ok(`The queue ${names.queue(topic)} is subscribed to the topic in ${region}.`)
      : failure(`The queue ${names.queue(topic)} is not subscribed to the topic in ${region}.`, deployAgain),
    // SNS of an opt-in region has a principal of its own ("Sending to an Amazon SQS queue in a different region").
    allows(
      queue.Attributes?.Policy,
      'sqs:SendMessage',
      (service) => /^sns\.(?:[\w-]+\.)?amazonaws\.com$/.test(service),
      TopicArn,
    )
      ? ok(`SNS in ${region} may send to the queue ${names.queue(topic)}.`)
      : failure(
          `The policy of the queue ${names.queue(topic)} does not let SNS in ${region} send.`,
          deployAgain,
        ),
  ];
}

const several = z.union([z.string(), z.array(z.string())]).transform((value) => [value].flat());
const policySchema = z.object({
  Statement: z.array(
    z.object({
      Effect: z.enum(['Allow', 'Deny']),
      Principal: z.union([z.literal('*'), z.object({ Service: several.optional() })]).optional(),
      Action: several.optional(),
      Condition: z.unknown().optional(),
    }),
  ),
});

/**
 * Whether a policy has a statement that allows a service an action. AWS decides on more than this; a statement that is
 * missing is the fault that happens.
 *
 * @param source an ARN that the statement must name in its condition
 */
function allows(
  policy: string | undefined,
  action: string,
  isService: (service: string) => boolean,
  source?: string,
): boolean {
  if (!policy) return false;
  return policySchema
    .parse(JSON.parse(policy))
    .Statement.some(
      ({ Effect, Principal, Action = [], Condition }) =>
        Effect === 'Allow' &&
        typeof Principal === 'object' &&
        (Principal.Service ?? []).some(isService) &&
        Action.some((one) => one.toLowerCase() === action.toLowerCase()) &&
        (source === undefined || JSON.stringify(Condition ?? {}).includes(source)),
    );
}
