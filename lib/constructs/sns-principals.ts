/** The principals that SNS uses when it sends to queues of another region. */
import { ServicePrincipal } from 'aws-cdk-lib/aws-iam';

/**
 * Regions that are enabled by default; all others are opt-in ("Sending Amazon SNS messages to an Amazon SQS queue or AWS Lambda
 * function in a different Region", Amazon SNS Developer Guide).
 */
const defaultRegions: ReadonlySet<string> = new Set([
  ...['us-east-1', 'us-east-2', 'us-west-1', 'us-west-2', 'ca-central-1', 'sa-east-1'],
  ...['eu-central-1', 'eu-north-1', 'eu-west-1', 'eu-west-2', 'eu-west-3'],
  ...['ap-northeast-1', 'ap-northeast-2', 'ap-northeast-3', 'ap-south-1', 'ap-southeast-1', 'ap-southeast-2'],
]);

/** The principals for topics of `topicRegions` that send to a queue of `queueRegion`, without duplicates. */
export function snsPrincipals(topicRegions: readonly string[], queueRegion: string): ServicePrincipal[] {
  const names = topicRegions.map((topicRegion) => {
    if (topicRegion === queueRegion) return 'sns.amazonaws.com';
    if (!defaultRegions.has(queueRegion)) return `sns.${queueRegion}.amazonaws.com`;
    return defaultRegions.has(topicRegion) ? 'sns.amazonaws.com' : `sns.${topicRegion}.amazonaws.com`;
  });
  return [...new Set(names)].map((name) => new ServicePrincipal(name));
}
