/** What functions ask of AWS, and what the emulators answer, is in the models of AWS's APIs: names, types, enums, errors. */
import { afterEach, describe, expect, it } from 'vitest';
import { operations } from '../../functions/operations.ts';
import type { Exchange } from '../../lib/local/aws/recorder.ts';
import { api } from '../support/api.ts';
import { compareExchange } from '../support/aws-models/exchange.ts';
import { cloud } from '../support/cloud.ts';
import { connected } from '../support/live-socket.ts';
import { callOf, targetOf } from '../support/operation-fixtures.ts';
import { receiver } from '../support/receiver.ts';
import { sharedRecorder } from '../support/shared-recorder.ts';
import { verifiedDomain } from '../support/verified-domain.ts';
import { type TestWorkspace, workspace } from '../support/workspace.ts';
import { workspaceContext } from '../support/workspace-context.ts';

afterEach(() => {
  sharedRecorder().onExchange = null;
});

/** The calls while `work` runs: each of the services' actions, and what no model has. */
async function callsOf(work: () => Promise<unknown>) {
  const actions = new Set<string>();
  const problems = new Set<string>();
  sharedRecorder().onExchange = (exchange) => {
    actions.add(`${exchange.call.service} ${exchange.action}`);
    for (const problem of compareExchange(exchange)) problems.add(`${exchange.call.service}: ${problem}`);
  };
  await work();
  await cloud().waitForQuiescence();
  return { actions: [...actions], problems: [...problems] };
}

async function everyOperation(own: TestWorkspace): Promise<void> {
  const context = workspaceContext(own);
  for (const contract of operations) {
    const call = await callOf(contract, context);
    const request = call.body === undefined ? {} : { body: call.body };
    await api(own).request(contract.method, targetOf(contract, call), request);
  }
}

async function mailOutAndIn(own: TestWorkspace): Promise<void> {
  const client = api(own);
  const hook = await receiver();
  const subscriptions = ['email.sent', 'email.received', 'domain.verified'];
  await client.post('/webhook-endpoints', { url: hook.url, subscriptions });
  const live = await connected(own);
  await live.subscribe();
  const domain = await verifiedDomain(client, null);
  const at = new Date(Date.now() + 3_600_000).toISOString();
  for (const scheduled of [{}, { scheduled_at: at }])
    await client.post('/emails', {
      ...{ from: `a@${domain.name}`, to: 'anna@example.test', subject: 'Hello', text: 'x'.repeat(300_000) },
      ...scheduled,
    });
  await cloud().waitForQuiescence();
  const attachments = [{ filename: 'a.txt', content: 'text' }];
  await cloud().sendMail({ from: 'anna@example.test', to: `a@${domain.name}`, text: 'Hi', attachments });
  await cloud().waitForQuiescence();
  await client.request('DELETE', `/domains/${domain.id}`);
}

describe('calls of AWS', () => {
  it('have and get what the models of its APIs have, in every operation, sending, receiving and webhooks', async () => {
    const { actions, problems } = await callsOf(async () => {
      await everyOperation(await workspace());
      await mailOutAndIn(await workspace());
    });
    expect(problems).toEqual([]);
    // Others depend on what a function has kept, and on how many messages come at once.
    expect(actions).toEqual(
      expect.arrayContaining([
        ...['GetItem', 'PutItem', 'Query', 'TransactWriteItems', 'UpdateItem'].map(
          (name) => `dynamodb ${name}`,
        ),
        ...['execute-api PostToConnection', 'kms Encrypt', 's3 PutObject', 'scheduler CreateSchedule'],
        ...['ses CreateEmailIdentity', 'ses DeleteEmailIdentity', 'ses SendEmail'],
      ]),
    );
    expect(actions.filter((action) => action.startsWith('sqs SendMessage'))).not.toEqual([]);
  });
});

/** An exchange of SQS, whose model is known here. */
const exchangeOf = (input: object, status: number, output: object): Exchange => ({
  action: 'SendMessage',
  call: {
    ...{ principal: 'p', service: 'sqs', region: 'us-east-1', method: 'POST', path: '/', rawPath: '/' },
    query: new URLSearchParams(),
    headers: { 'content-type': 'application/x-amz-json-1.0' },
    body: Buffer.from(JSON.stringify(input)),
  },
  response: { status, body: JSON.stringify(output) },
});

const input = { QueueUrl: 'https://sqs', MessageBody: 'x' };

describe('compareExchange', () => {
  it.each([
    {
      what: 'an invented member',
      exchange: exchangeOf({ ...input, Delay: 1 }, 200, {}),
      problem: 'body.Delay is not',
    },
    {
      what: 'a missing member',
      exchange: exchangeOf({ QueueUrl: 'x' }, 200, {}),
      problem: 'MessageBody is missing',
    },
    {
      what: 'a wrong type',
      exchange: exchangeOf({ ...input, MessageBody: 1 }, 200, {}),
      problem: 'is no string',
    },
    { what: 'an invented answer', exchange: exchangeOf(input, 200, { Id: 'x' }), problem: 'body.Id is not' },
    {
      what: 'an invented error',
      exchange: exchangeOf(input, 400, { __type: 'Odd' }),
      problem: 'has no error Odd',
    },
    {
      what: 'a wrong value of a map',
      exchange: exchangeOf({ ...input, MessageSystemAttributes: { Odd: 1 } }, 200, {}),
      problem: 'MessageSystemAttributes.Odd is no structure',
    },
  ])('names $what', ({ exchange, problem }) => {
    expect(compareExchange(exchange)).toEqual([expect.stringContaining(problem)]);
  });

  it('finds nothing in a call of the model', () => {
    expect(compareExchange(exchangeOf(input, 200, { MessageId: 'x', MD5OfMessageBody: 'y' }))).toEqual([]);
  });
});
