/** What SES does with other services of the account: it publishes to topics and writes mail into buckets, as their policies allow. */
import type { AccessControl } from './access-control.ts';
import type { S3 } from './aws/s3.ts';
import { AwsError, localAccount } from './aws/service.ts';
import type { Sns } from './aws/sns.ts';
import { sesActing } from './service-principals.ts';
import type { SesConnections } from './ses/connections.ts';

/** A call of SES to SNS or S3. */
export interface ServiceCall {
  readonly service: 'sns' | 's3';
  readonly action: 'Publish' | 'PutObject';
  /** Of `Publish`. */
  readonly published?: { readonly topicArn: string; readonly message: string };
}

/** The connections of SES to topics and buckets. What a policy denies is lost. */
export function sesConnections(options: {
  readonly access: Pick<AccessControl, 'serviceMay'>;
  readonly s3: Pick<S3, 'put'>;
  readonly sns: Pick<Sns, 'publish' | 'publishError'>;
  /** Whether the next notification is published twice. */
  readonly duplicates: () => boolean;
  /** Called after each call. */
  readonly onCall: (call: ServiceCall) => void;
  /** Called with the receipt rule of received mail that could not be stored or announced. */
  readonly onReceiptFailure: (ruleArn: string) => void;
  /** Called with a text for each loss. */
  readonly onDropped: (text: string) => void;
}): Required<SesConnections> {
  const { access, s3, sns } = options;
  const acting = (sourceArn: string) => sesActing(localAccount, sourceArn);
  const failed = (sourceArn: string) => {
    if (sourceArn.includes(':receipt-rule-set/')) options.onReceiptFailure(sourceArn);
  };
  const mayStore = (bucket: string, key: string, sourceArn: string) =>
    access.serviceMay(acting(sourceArn), 's3:PutObject', `arn:aws:s3:::${bucket}/${key}`);
  return {
    mayStore,
    mayPublish: (topicArn, sourceArn) => sns.publishError(topicArn, acting(sourceArn)) === null,
    publish(topicArn, message, sourceArn) {
      try {
        const copies = options.duplicates() ? 2 : 1;
        for (let copy = 0; copy < copies; copy++) {
          sns.publish(topicArn, message, acting(sourceArn));
          options.onCall({ service: 'sns', action: 'Publish', published: { topicArn, message } });
        }
      } catch (error) {
        if (!(error instanceof AwsError)) throw error;
        failed(sourceArn);
        const [, id] = /"messageId":"([^"]*)"/.exec(message) ?? [];
        options.onDropped(`SES dropped the notification of message ${id}: ${error.message}`);
      }
    },
    async store(bucket, key, body, sourceArn) {
      if (!mayStore(bucket, key, sourceArn)) {
        failed(sourceArn);
        options.onDropped(`SES dropped a mail: the policy of ${bucket} denies s3:PutObject`);
        return false;
      }
      await s3.put(bucket, key, body);
      options.onCall({ service: 's3', action: 'PutObject' });
      return true;
    },
  };
}
