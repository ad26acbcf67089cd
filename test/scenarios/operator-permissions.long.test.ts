/** The policies of docs/administration.md#permissions: each command works under those of its group, and needs all of them. */
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { getEnvironmentData, Worker } from 'node:worker_threads';
import { DeleteItemCommand } from '@aws-sdk/client-dynamodb';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { commands } from '../../bin/admin/program.ts';
import { clockSkewKey } from '../../lib/adapters/clock.ts';
import type { EmailId, WorkspaceId } from '../../lib/core/ids.ts';
import { environmentNames } from '../../lib/env.ts';
import { localSecret } from '../../lib/local/aws/sigv4.ts';
import { type Cloud, startCloud } from '../../lib/local/cloud.ts';
import { isAllowed, type Statement } from '../../lib/local/iam.ts';
import { emailKey } from '../../lib/storage/table/keys.ts';
import { sendOverSmtp } from '../../scripts/fuzz/smtp-client.ts';
import type { Ended } from '../support/operator.ts';
import type { OperatorCall } from '../support/operator-thread.ts';

type Group = 'look' | 'change' | 'erase' | 'recover';

const page = readFileSync(join(import.meta.dirname, '../../docs/administration.md'), 'utf8');

/** The policies of the page in their order, by the group that the text before names. */
const policies = new Map(
  [...page.matchAll(/\*\*`(\w+)`\*\*(?:(?!```)[\s\S])*```json\n([\s\S]*?)```/g)].map(
    ([, group, json = '']) => [group as Group, (JSON.parse(json) as { Statement: Statement[] }).Statement],
  ),
);

/** Of a deployment with a standby, which the local cloud is not. */
const ofStandby = ['kms:DescribeKey', 's3:GetReplicationConfiguration'];

let own: Cloud;
let token: string;
let emailId: string;

const of = '--workspace acme';
/** By the clock of the cloud. */
const inHours = (hours: number) => new Date(own.clock.now() + hours * 3_600_000).toISOString();

const linesOf = (): Readonly<Record<Group, readonly string[]>> => ({
  look: [
    'workspace list',
    `workspace show ${of}`,
    `member list ${of}`,
    `key list ${of}`,
    `webhook list ${of}`,
    `audit list ${of}`,
    'audit deployment',
    'queue list',
    'domain queue',
    `trace ${emailId} ${of}`,
    'restore settle --as list',
    'doctor',
  ],
  change: [
    'workspace create --slug other',
    `workspace suspend ${of}`,
    `workspace resume ${of}`,
    `workspace limits ${of} --capacity 9000`,
    `workspace inbound-policy ${of} --spam drop`,
    `workspace event-log ${of} --state off`,
    `workspace own-oauth-app ${of} --required on`,
    `workspace link-domain ${of} --domain links.acme.dev`,
    `workspace retention ${of} --days 30`,
    `workspace read-threads ${of}`,
    `member add ${of} --email bo@acme.test`,
    `member update ${of} --email bo@acme.test --role owner`,
    `member link ${of} --email bo@acme.test --api https://mail.acme.test`,
    `member remove ${of} --email bo@acme.test`,
    `key create ${of} --name k --scope read`,
    `key delete ${of} --key $id`,
    `webhook create ${of} --url https://hooks.acme.dev/`,
    `webhook update ${of} --endpoint $id --click-event clicked`,
    `webhook pause ${of} --endpoint $id`,
    `webhook resume ${of} --endpoint $id`,
    `webhook rotate-secret ${of} --endpoint $id`,
    `webhook delete ${of} --endpoint $id`,
  ],
  recover: [
    'queue redrive --queue schedules',
    `outbox replay --since ${inHours(-1)}`,
    `restore reconcile --table parley --restored-to ${inHours(0)}`,
    `restore replay --restored-to ${inHours(-1)}`,
    'restore settle --as send --status scheduled',
    'restore settle --as fail --status due',
  ],
  erase: [
    `person erase ${of} --address anna@people.example.test --dry-run`,
    `person erase ${of} --address anna@people.example.test --confirm anna@people.example.test`,
    `workspace erase ${of} --confirm acme`,
  ],
});

/** Runs commands as somebody whose requests are decided and noted. */
async function run(name: string, lines: readonly string[]): Promise<(Ended & { readonly line: string })[]> {
  const env = Object.fromEntries(
    Object.entries(process.env).filter(([key]) => !environmentNames.some((one) => one === key)),
  );
  const worker = new Worker(new URL('../support/operator-thread.ts', import.meta.url), {
    env: {
      ...env,
      AWS_REGION: 'us-east-1',
      AWS_ENDPOINT_URL: own.gatewayUrl,
      AWS_ACCESS_KEY_ID: name,
      AWS_SECRET_ACCESS_KEY: localSecret(name),
    },
    workerData: {
      module: new URL('../support/operator-commands.ts', import.meta.url).href,
      name: 'runCommands',
      args: [lines],
    } satisfies OperatorCall,
  });
  const [result] = await once(worker, 'message');
  await worker.terminate();
  return JSON.parse(result);
}

async function call<T>(method: string, path: string, body?: object): Promise<T> {
  const response = await fetch(`${own.baseUrl}${path}`, {
    method,
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    ...(body && { body: JSON.stringify(body) }),
  });
  if (!response.ok) throw new Error(`${path} answered ${response.status}: ${await response.text()}`);
  return (await response.json()) as T;
}

const post = (path: string, body: object) => call<{ readonly id: string }>('POST', path, body);

/** Leaves of a received email what a copy of the table may have without it (docs/regions.md#what-is-lost). */
async function tearReceived(workspaceId: string): Promise<void> {
  const { data } = await call<{ data: { id: string }[] }>('GET', '/emails?direction=inbound');
  const { pk, sk } = emailKey(workspaceId as WorkspaceId, data[0]?.id as EmailId);
  await own.dynamoDb.send(
    new DeleteItemCommand({ TableName: 'parley', Key: { pk: { S: pk }, sk: { S: sk } } }),
  );
}

beforeAll(async () => {
  own = await startCloud({
    clockSkew: getEnvironmentData(clockSkewKey) as SharedArrayBuffer,
    limits: { ses: { managementCallsPerSecond: Number.POSITIVE_INFINITY } },
  });
  own.principals.set('setup', () => true);
  const [made] = await run('setup', ['workspace create --slug acme']);
  const acme = JSON.parse(made?.out ?? '') as { readonly id: string; readonly full_key: string };
  token = acme.full_key;
  const from = `hi@acme.${own.providedDomain}`;
  const to = 'anna@people.example.test';
  const attachments = [{ filename: 'a.txt', content: Buffer.from('A file').toString('base64') }];
  const sent = await post('/emails', { from, to, subject: 'Hi', text: 'Hi', attachments });
  emailId = sent.id;
  await post('/emails', { from, to, subject: 'Later', text: 'Later', scheduled_at: inHours(24) });
  const raw = `From: ${to}\r\nTo: ${from}\r\nSubject: Question\r\n\r\nAnna here\r\n`;
  await sendOverSmtp(own.smtpPort, { from: to, to: from, raw: Buffer.from(raw) });
  await own.settle();
  await tearReceived(acme.id);
  // From now on mail stays queued, as a loss leaves it.
  for (const queue of Object.keys(own.sqs.depths())) own.denials.deny('sqs:ReceiveMessage', queue);
  await post('/emails', { from, to, subject: 'Queued', text: 'Queued' });
  for (const queue of ['parley-mail', 'parley-schedules'])
    own.sqs.send(`${queue}-dead-letters`, { body: '{}' });
});

afterAll(() => own.close());

describe('the permissions of an operator', () => {
  it('are policies of the page for every command', () => {
    expect([...policies.keys()]).toEqual(['look', 'change', 'erase', 'recover']);
    const all = Object.values(linesOf()).flat();
    const missing = Object.keys(commands).filter(
      (name) => !all.some((line) => line.startsWith(`${name} `) || line === name),
    );
    expect(missing).toEqual([]);
  });

  it.each(['look', 'change', 'recover', 'erase'] as const)(
    '%s: are all that its commands need, and no more',
    async (group) => {
      const allowed = [...(policies.get('look') ?? []), ...(policies.get(group) ?? [])];
      const [used, denied] = [new Set<string>(), new Set<string>()];
      own.principals.set(group, (needed) => {
        const isOk = isAllowed(allowed, needed);
        (isOk ? used : denied).add(isOk ? needed.action : `${needed.action} ${needed.resource}`);
        return isOk;
      });
      const ended = await run(group, linesOf()[group]);
      expect([...denied]).toEqual([]);
      // The doctor has warnings of the local cloud.
      expect(ended.filter(({ code, line }) => code !== 0 && line !== 'doctor')).toEqual([]);
      const named = (policies.get(group) ?? [])
        .flatMap(({ Action = [] }) => Action)
        .filter((one) => !ofStandby.includes(one));
      expect(named.filter((one) => !used.has(one))).toEqual([]);
    },
  );
});
