/** What SES does with topics and buckets of the account. */

/** `sourceArn`: the configuration set or receipt rule, as in the condition key `aws:SourceArn`. */
export interface SesConnections {
  publish(topicArn: string, message: string, sourceArn: string): void;
  /** Writes an object; false: S3 denied it. */
  store(bucket: string, key: string, body: Buffer, sourceArn: string): Promise<boolean>;
  /** Whether the topic's policies let SES publish; default: yes. */
  mayPublish?(topicArn: string, sourceArn: string): boolean;
  /** Whether the bucket's policy lets SES write an object; default: yes. */
  mayStore?(bucket: string, key: string, sourceArn: string): boolean;
}
