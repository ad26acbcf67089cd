import { DynamoDBClient, GetItemCommand, PutItemCommand, UpdateItemCommand } from '@aws-sdk/client-dynamodb';
import { SendMessageCommand, SQSClient } from '@aws-sdk/client-sqs';
import { describe, expect, it } from 'vitest';
import { env } from '../../lib/env.ts';
import { localSecret } from '../../lib/local/aws/sigv4.ts';
import { cloud } from '../support/cloud.ts';

/** A client that signs as a thread of this function. */
function as(functionName: string) {
  const accessKeyId = `${functionName}~99`;
  return {
    region: 'us-east-1',
    endpoint: cloud().gatewayUrl,
    maxAttempts: 1,
    credentials: { accessKeyId, secretAccessKey: localSecret(accessKeyId) },
  };
}

const item = (pk: string) => ({ pk: { S: pk }, sk: { S: 'X' } });

describe('an AWS call of a function', () => {
  it("is denied with AWS's error when its role does not allow it", async () => {
    const { TABLE_NAME: TableName } = cloud().environment;
    const client = new DynamoDBClient(as('parley-api-spaces-retrieve'));
    await expect(client.send(new GetItemCommand({ TableName, Key: item('W#1') }))).resolves.toBeDefined();
    await expect(client.send(new PutItemCommand({ TableName, Item: item('W#1') }))).rejects.toMatchObject({
      name: 'AccessDeniedException',
      $metadata: { httpStatusCode: 400 },
      message:
        'User: arn:aws:sts::111111111111:assumed-role/parley-api-spaces-retrieve/local is not authorized to ' +
        'perform: dynamodb:PutItem on resource: arn:aws:dynamodb:us-east-1:111111111111:table/parley ' +
        'because no identity-based policy allows the dynamodb:PutItem action',
    });
  });

  it('is denied when its role allows it for other keys only', async () => {
    const { TABLE_NAME: TableName } = cloud().environment;
    const client = new DynamoDBClient(as('parley-api-spaces-retrieve'));
    const touch = (pk: string) =>
      client.send(
        new UpdateItemCommand({
          TableName,
          Key: item(pk),
          UpdateExpression: 'SET a = :a',
          ConditionExpression: 'attribute_exists(pk)',
          ExpressionAttributeValues: { ':a': { S: 'a' } },
        }),
      );
    await expect(touch('KEYHASH#none')).rejects.toMatchObject({ name: 'ConditionalCheckFailedException' });
    await expect(touch('W#1')).rejects.toMatchObject({ name: 'AccessDeniedException' });
  });

  it('reaches only the queues of its role', async () => {
    const urls: Readonly<Record<string, string>> = env().QUEUE_URLS;
    const client = new SQSClient(as('parley-worker-relay'));
    const send = (queue: string) =>
      client.send(new SendMessageCommand({ QueueUrl: urls[queue], MessageBody: '{}' }));
    await expect(send('provider-events')).rejects.toMatchObject({
      name: 'AccessDeniedException',
      message: expect.stringContaining(
        'sqs:SendMessage on resource: arn:aws:sqs:us-east-1:111111111111:parley-provider-events',
      ),
    });
  });

  it('is denied for unknown principals', async () => {
    const { TABLE_NAME: TableName } = cloud().environment;
    const client = new DynamoDBClient(as('somebody'));
    await expect(client.send(new GetItemCommand({ TableName, Key: item('W#1') }))).rejects.toMatchObject({
      name: 'AccessDeniedException',
    });
  });
});
