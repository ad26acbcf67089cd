import { KMSClient, ListKeysCommand } from '@aws-sdk/client-kms';
import { GetObjectCommand, S3Client } from '@aws-sdk/client-s3';
import { GetScheduleCommand, SchedulerClient } from '@aws-sdk/client-scheduler';
import { ReceiveMessageCommand, SendMessageCommand, SQSClient } from '@aws-sdk/client-sqs';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import type { FaultRule } from '../../../lib/local/aws/faults.ts';
import type { RecordedCall } from '../../../lib/local/aws/recorder.ts';
import { createS3 } from '../../../lib/local/aws/s3.ts';
import { createScheduler } from '../../../lib/local/aws/scheduler.ts';
import type { AwsService, NeededPermission } from '../../../lib/local/aws/service.ts';
import { createSqs } from '../../../lib/local/aws/sqs.ts';
import { createClock } from '../../../lib/local/clock.ts';
import { localAws } from './local-aws.ts';

async function start(authorize?: (role: string, needed: NeededPermission) => boolean) {
  const ownClock = createClock();
  onTestFinished(ownClock.close);
  const sqs = createSqs({ clock: ownClock, account: '111111111111', region: 'eu-central-1' });
  sqs.createQueue({ name: 'work', fifo: false, visibilitySeconds: 30, retentionSeconds: 345_600 });
  const aws = await localAws((clock) => {
    const s3 = createS3({ clock });
    s3.createBucket('letters');
    return [sqs, s3, createScheduler({ clock, deliver: () => {} })];
  }, authorize);
  const QueueUrl = `${aws.gateway.url}/111111111111/work`;
  const send = (principal: string, MessageBody = 'a', maxAttempts = 1) => {
    const client = new SQSClient({ ...aws.as(principal), maxAttempts });
    onTestFinished(() => client.destroy());
    return client.send(new SendMessageCommand({ QueueUrl, MessageBody }));
  };
  return { ...aws, sqs, send, QueueUrl };
}

describe('the gateway', () => {
  it('executes calls that the role of the thread allows', async () => {
    const asked: [string, NeededPermission][] = [];
    const { send, sqs } = await start((role, needed) => {
      asked.push([role, needed]);
      return true;
    });
    await send('sender~3');
    expect(asked).toEqual([
      ['sender', { action: 'sqs:SendMessage', resource: 'arn:aws:sqs:eu-central-1:111111111111:work' }],
    ]);
    expect(sqs.messages('work')).toHaveLength(1);
  });

  it("denies other calls in AWS's wording before execution", async () => {
    const { send, sqs, as } = await start();
    await expect(send('sender~3')).rejects.toMatchObject({
      name: 'AccessDeniedException',
      message:
        'User: arn:aws:sts::111111111111:assumed-role/sender/local is not authorized to perform: sqs:SendMessage ' +
        'on resource: arn:aws:sqs:eu-central-1:111111111111:work because no identity-based policy allows the ' +
        'sqs:SendMessage action',
    });
    expect(sqs.messages('work')).toEqual([]);
    const get = new GetObjectCommand({ Bucket: 'letters', Key: 'a' });
    await expect(new S3Client(as('reader')).send(get)).rejects.toMatchObject({
      name: 'AccessDenied',
      $metadata: { httpStatusCode: 403 },
    });
    await expect(
      new SchedulerClient(as('reader')).send(new GetScheduleCommand({ Name: 'a' })),
    ).rejects.toMatchObject({ name: 'AccessDeniedException', $metadata: { httpStatusCode: 403 } });
  });

  it('names service and operation when the service is not emulated', async () => {
    const { admin } = await start();
    await expect(new KMSClient(admin).send(new ListKeysCommand({}))).rejects.toMatchObject({
      name: 'UnknownOperationException',
      message: 'The local cloud does not emulate kms (asked for TrentService.ListKeys).',
    });
  });

  it('rejects unsigned calls', async () => {
    const { gateway } = await start();
    const response = await fetch(`${gateway.url}/`, { method: 'POST', body: '{}' });
    expect(response.status).toBe(403);
    expect(await response.json()).toEqual({
      __type: 'MissingAuthenticationTokenException',
      message: 'The call is not signed.',
    });
  });

  it('rejects calls whose signature does not belong to them', async () => {
    const { gateway } = await start();
    const forged = {
      endpoint: gateway.url,
      region: 'eu-central-1',
      credentials: { accessKeyId: 'local-admin', secretAccessKey: 'guessed' },
      maxAttempts: 1,
    };
    const client = new SQSClient(forged);
    onTestFinished(() => client.destroy());
    const QueueUrl = `${gateway.url}/111111111111/work`;
    await expect(client.send(new SendMessageCommand({ QueueUrl, MessageBody: 'a' }))).rejects.toMatchObject({
      name: 'InvalidSignatureException',
      $metadata: { httpStatusCode: 403 },
    });
  });

  it('records every call and notifies subscribers', async () => {
    const { send, gateway } = await start(() => true);
    const heard: RecordedCall[] = [];
    const stop = gateway.recorder.subscribe((call) => heard.push(call));
    await send('sender');
    stop();
    await send('sender');
    expect(heard).toEqual([
      {
        at: expect.any(Number),
        principal: 'sender',
        service: 'sqs',
        action: 'SendMessage',
        resource: 'arn:aws:sqs:eu-central-1:111111111111:work',
        startedAt: expect.any(Number),
        ms: expect.any(Number),
        status: 200,
      },
    ]);
    expect(gateway.recorder.calls()).toHaveLength(2);
  });

  it('returns 500 and prints the error when an emulator throws', async () => {
    const broken: AwsService = {
      name: 'sqs',
      action: () => 'SendMessage',
      permissions: () => [],
      handle: () => Promise.reject(new Error('oops')),
      errorResponse: (refusal) => ({
        status: refusal.status,
        body: JSON.stringify({ __type: refusal.code }),
      }),
    };
    const { admin } = await localAws(() => [broken]);
    const log = vi.spyOn(console, 'error').mockImplementation(() => {});
    onTestFinished(() => log.mockRestore());
    const send = new SendMessageCommand({ QueueUrl: 'http://x/1/work', MessageBody: 'a' });
    await expect(new SQSClient(admin).send(send)).rejects.toMatchObject({ name: 'InternalFailure' });
    expect(log).toHaveBeenCalledOnce();
  });
});

describe('faults', () => {
  const sqsFault = (rule: Pick<FaultRule, 'kind'> & Partial<FaultRule>): FaultRule => ({
    service: 'sqs',
    action: 'SendMessage',
    ...rule,
  });

  it("throttle with the service's error, which the SDK retries", async () => {
    const { faults, send, sqs } = await start(() => true);
    faults.add(sqsFault({ kind: 'throttle' }));
    await expect(send('sender')).rejects.toMatchObject({ name: 'RequestThrottled' });
    faults.add(sqsFault({ kind: 'throttle' }));
    await send('sender', 'a', 3);
    expect(sqs.messages('work')).toHaveLength(1);
  });

  it('fail with the given error, or with 500', async () => {
    const { faults, send } = await start(() => true);
    faults.add(sqsFault({ kind: 'error', code: 'KmsDisabled', message: 'off' }));
    await expect(send('sender')).rejects.toMatchObject({
      name: 'KmsDisabled',
      message: 'off',
      $metadata: { httpStatusCode: 400 },
    });
    faults.add(sqsFault({ kind: 'error' }));
    await expect(send('sender')).rejects.toMatchObject({
      name: 'InternalFailure',
      $metadata: { httpStatusCode: 500 },
    });
  });

  it.each([
    ['drop-before', 0],
    ['timeout-after', 1],
    ['kill-before', 0],
    ['kill-after', 1],
  ] as const)('%s breaks the connection with %i messages sent', async (kind, sent) => {
    const { faults, send, sqs, gateway } = await start(() => true);
    const killed: string[] = [];
    faults.onKill((principal) => killed.push(principal));
    faults.add(sqsFault({ kind }));
    await expect(send('sender~2')).rejects.toMatchObject({ code: 'ECONNRESET' });
    expect(sqs.messages('work')).toHaveLength(sent);
    expect(killed).toEqual(kind.startsWith('kill') ? ['sender~2'] : []);
    expect(gateway.recorder.calls().map(({ status }) => status)).toEqual([0]);
  });

  it('apply to matching calls after `skip` calls, `times` times', async () => {
    const { faults, send } = await start(() => true);
    faults.add(sqsFault({ kind: 'error', principal: 'sender', match: 'poison', skip: 1, times: 2 }));
    await send('other', 'poison');
    await send('sender', 'food');
    await send('sender~1', 'poison skipped');
    await expect(send('sender~1', 'poison')).rejects.toThrow();
    await expect(send('sender~2', 'poison')).rejects.toThrow();
    await send('sender~1', 'poison');
    expect(faults.list()).toEqual([]);
  });

  it('are listed and removed', async () => {
    const { faults, send } = await start(() => true);
    const id = faults.add({ service: '*', action: '*', kind: 'throttle', times: 5 });
    await expect(send('sender')).rejects.toThrow();
    expect(faults.list()).toEqual([{ id, service: '*', action: '*', kind: 'throttle', times: 4, skip: 0 }]);
    expect(faults.remove(id)).toBe(true);
    expect(faults.remove(id)).toBe(false);
    await send('sender');
  });

  it('do not apply to other services', async () => {
    const { faults, admin, QueueUrl } = await start();
    faults.add({ service: 's3', action: '*', kind: 'throttle' });
    await new SQSClient(admin).send(new ReceiveMessageCommand({ QueueUrl }));
    const get = new GetObjectCommand({ Bucket: 'letters', Key: 'a' });
    await expect(new S3Client(admin).send(get)).rejects.toMatchObject({ name: 'SlowDown' });
  });
});
