import { DynamoDBClient, GetItemCommand } from '@aws-sdk/client-dynamodb';
import { SESv2Client, SendEmailCommand } from '@aws-sdk/client-sesv2';
import { SendMessageCommand, SQSClient } from '@aws-sdk/client-sqs';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { clientConfig } from '../../lib/adapters/aws-clients.ts';
import { hangingServer } from './hanging-server.ts';

const credentials = { accessKeyId: 'id', secretAccessKey: 'secret' };
const target = (endpoint: string) => ({ region: 'eu-central-1', endpoint, credentials });
/** Short, so that the test need not wait for the deployed one. */
const requestMs = 40;

describe('clientConfig', () => {
  afterEach(() => vi.unstubAllEnvs());

  it('waits one second for a connection and two for a response', () => {
    vi.stubEnv('AWS_ENDPOINT_URL', undefined);
    expect(clientConfig()).toEqual({
      requestHandler: {
        connectionTimeout: 1000,
        requestTimeout: 2000,
        socketTimeout: 2000,
        throwOnRequestTimeout: true,
      },
    });
  });

  it('waits 20 seconds for emulated services, whose machine may be busy', () => {
    vi.stubEnv('AWS_ENDPOINT_URL', 'http://127.0.0.1:4566');
    expect(clientConfig().requestHandler).toMatchObject({
      connectionTimeout: 20_000,
      requestTimeout: 20_000,
    });
  });

  it.each([
    ['that of the local cloud', 'http://127.0.0.1:4566', { endpoint: 'http://127.0.0.1:4566' }],
    ['AWS itself, without a look at files', undefined, { ignoreConfiguredEndpointUrls: true }],
  ])('lets a function call %s', (_, endpoint, expected) => {
    vi.stubEnv('AWS_LAMBDA_FUNCTION_NAME', 'parley-worker-relay');
    vi.stubEnv('AWS_ENDPOINT_URL', endpoint);
    expect(clientConfig()).toMatchObject(expected);
  });

  it('retries a request whose response does not come, and succeeds with the next one', async () => {
    const server = await hangingServer((count, response) => {
      if (count > 1) response.end('{"Item":{"a":{"S":"b"}}}');
    });
    const client = new DynamoDBClient({ ...target(server.url), ...clientConfig({ requestMs }) });
    const { Item } = await client.send(new GetItemCommand({ TableName: 't', Key: { a: { S: 'a' } } }));
    expect(Item).toEqual({ a: { S: 'b' } });
    expect(server.requests).toHaveLength(2);
  });

  it('retries a response whose body stops', async () => {
    const server = await hangingServer((count, response) => {
      if (count > 1) return response.end('{"Item":{"a":{"S":"b"}}}');
      response.writeHead(200, { 'content-length': '100' });
      response.write('{"Item"');
    });
    const client = new DynamoDBClient({ ...target(server.url), ...clientConfig({ requestMs }) });
    const { Item } = await client.send(new GetItemCommand({ TableName: 't', Key: { a: { S: 'a' } } }));
    expect(Item).toEqual({ a: { S: 'b' } });
  });

  it('rejects with TimeoutError when no attempt is answered', async () => {
    const server = await hangingServer();
    const client = new SQSClient({ ...target(server.url), ...clientConfig({ requestMs }) });
    const sending = client.send(new SendMessageCommand({ QueueUrl: `${server.url}/q`, MessageBody: 'm' }));
    await expect(sending).rejects.toMatchObject({ name: 'TimeoutError' });
    expect(server.requests.length).toBeGreaterThan(1);
  });

  it('makes one attempt where a repetition is not safe', async () => {
    const server = await hangingServer();
    const client = new SESv2Client({ ...target(server.url), ...clientConfig({ requestMs, maxAttempts: 1 }) });
    const sending = client.send(new SendEmailCommand({ Content: { Raw: { Data: Buffer.from('x') } } }));
    await expect(sending).rejects.toMatchObject({ name: 'TimeoutError' });
    expect(server.requests).toEqual(['POST /v2/email/outbound-emails']);
  });
});
