/** Whether somebody gets the alarms of each region. */
import { ListSubscriptionsByTopicCommand, SNSClient } from '@aws-sdk/client-sns';
import { clientConfig } from '../../lib/adapters/aws-clients.ts';
import { type Check, deploymentOf, type Finding, failure, ok } from './check.ts';

export const alarmSubscriptions: Check = {
  title: 'Alarms',
  needs: 'deployment',
  async examine(examined) {
    const { names } = deploymentOf(examined);
    const topics = [
      { region: examined.homeRegion, name: names.alarmTopic('home') },
      ...examined.mailRegions.map((region) => ({ region, name: names.alarmTopic('mail') })),
    ];
    return await Promise.all(
      topics.map(({ region, name }) => subscribers(region, name, names.arn('sns', name, region))),
    );
  },
};

async function subscribers(region: string, name: string, TopicArn: string): Promise<Finding> {
  const client = new SNSClient({ region, ...clientConfig() });
  const { Subscriptions = [] } = await client.send(new ListSubscriptionsByTopicCommand({ TopicArn }));
  client.destroy();
  const pending = Subscriptions.filter(({ SubscriptionArn }) => SubscriptionArn === 'PendingConfirmation');
  if (Subscriptions.length > pending.length)
    return ok(`The alarms of ${name} in ${region} have a subscriber.`);
  if (pending.length > 0) {
    return failure(
      `The subscription of the alarms of ${name} in ${region} is not confirmed.`,
      `Confirm it with the link in the mail from SNS to ${pending.map(({ Endpoint }) => Endpoint).join(', ')}.`,
    );
  }
  return failure(
    `Nobody gets the alarms of ${name} in ${region}.`,
    'Deploy with -c alarmEmail=ADDRESS, or subscribe to the topic in the SNS console.',
  );
}
