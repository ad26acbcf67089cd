/** `npm run admin` against the local cloud of the tests: what commands do, and the process around them. */
import { randomBytes } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { SendMessageCommand, SQSClient } from '@aws-sdk/client-sqs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { now } from '../../lib/adapters/clock.ts';
import { newId } from '../../lib/adapters/ids.ts';
import { localEnvironmentFile } from '../../lib/adapters/operator-target.ts';
import { queues } from '../../lib/core/access/access.ts';
import { env } from '../../lib/env.ts';
import { commit } from '../../lib/storage/table/transactions.ts';
import { clearFaults, inject } from '../faults/kit.ts';
import { api } from '../support/api.ts';
import { cloud } from '../support/cloud.ts';
import { runCommandProcess } from '../support/command.ts';
import { adminResult, runAdmin } from '../support/operator.ts';
import { workspace } from '../support/workspace.ts';

const withRun = mkdtempSync(join(tmpdir(), 'parley-admin-'));
const withoutRun = mkdtempSync(join(tmpdir(), 'parley-admin-'));

beforeAll(() => {
  const file = join(withRun, localEnvironmentFile);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, JSON.stringify(cloud().environment));
});
afterAll(() => {
  for (const folder of [withRun, withoutRun]) rmSync(folder, { recursive: true });
});

const run = (cwd: string, ...args: string[]) => runCommandProcess('admin', args, { cwd });

/** Runs a command in this process, whose target is the cloud of the tests; the records that it prints with `--json`. */
async function admin(...args: string[]): Promise<Record<string, string>[]> {
  return [await adminResult(args)].flat() as Record<string, string>[];
}

/** Runs a command that succeeds as a process. */
async function adminProcess(...args: string[]): Promise<Record<string, string>[]> {
  const { status, output, errors } = await run(withRun, ...args, '--local', '--json');
  expect({ status, errors }).toEqual({ status: 0, errors: '' });
  return [JSON.parse(output)].flat();
}

const newSlug = () => `t${randomBytes(6).toString('hex')}`;

describe('npm run admin', () => {
  it('creates a workspace with a full key, and lists it', async () => {
    const slug = newSlug();
    const [made] = await adminProcess('workspace', 'create', '--slug', slug, '--name', 'Acme Ltd');
    expect(made).toEqual({
      id: expect.stringMatching(/^wks_[0-9a-f]{32}$/),
      slug,
      name: 'Acme Ltd',
      provided_domain: `${slug}.mail.parley.test`,
      created_at: expect.stringMatching(/Z$/),
      erased_at: null,
      full_key: expect.any(String),
    });
    const keys = await api(made?.full_key ?? '').get('/api-keys');
    expect(keys.body.data).toMatchObject([{ name: 'first key', scope: 'full' }]);
    expect((await adminProcess('workspace', 'list')).filter((one) => one.slug === slug)).toEqual([
      {
        id: made?.id,
        slug,
        name: 'Acme Ltd',
        provided_domain: made?.provided_domain,
        created_at: made?.created_at,
        erased_at: null,
      },
    ]);
    const again = await run(withRun, 'workspace', 'create', '--slug', slug, '--local');
    expect(again).toEqual({
      status: 1,
      output: '',
      errors: `error: The slug "${slug}" is held by another workspace.\n  Choose another one.\n`,
    });
  });

  it('adds, updates and removes members, and creates further keys', async () => {
    const slug = newSlug();
    await admin('workspace', 'create', '--slug', slug);
    const member = (verb: string, ...args: string[]) => admin('member', verb, '--workspace', slug, ...args);
    expect(await member('add', '--email', 'Owner@Acme.Test', '--role', 'owner')).toEqual([
      {
        ...{ email: 'Owner@acme.test', role: 'owner', outage_mail: true },
        sign_in: `member link --workspace ${slug} --email Owner@acme.test`,
      },
    ]);
    await member('add', '--email', 'bo@acme.test', '--outage-mail', 'off');
    await member('add', '--email', 'cy@acme.test');
    const twice = await run(
      ...[withRun, 'member', 'add', '--workspace', slug, '--email', 'owner@acme.test', '--local'],
    );
    const errors = `error: owner@acme.test is a member of "${slug}" already.\n  Use member update.\n`;
    expect(twice).toEqual({ status: 1, output: '', errors });
    await member('update', '--email', 'owner@acme.test', '--outage-mail', 'off');
    await member('update', '--email', 'bo@acme.test', '--role', 'admin');
    await member('remove', '--email', 'CY@acme.test');
    expect(await member('list')).toEqual([
      { email: 'bo@acme.test', role: 'admin', outage_mail: false },
      { email: 'Owner@acme.test', role: 'owner', outage_mail: false },
    ]);
    const [key] = await admin('key', 'create', '--workspace', slug, '--name', 'ci', '--scope', 'read');
    expect(key).toMatchObject({ name: 'ci', scope: 'read', id: expect.stringMatching(/^key_/) });
    const { status } = await api(key?.key ?? '').get('/emails');
    const { body } = await api(key?.key ?? '').post('/spaces', { name: 'No' });
    expect([status, body.code]).toEqual([200, 'forbidden']);
  });

  it('makes, lists, resumes and rotates webhook endpoints of format v1', async () => {
    const slug = newSlug();
    const [made] = await admin('workspace', 'create', '--slug', slug);
    const client = api(made?.full_key ?? '');
    const webhook = (command: string, ...args: string[]) =>
      admin('webhook', command, '--workspace', slug, ...args);
    const events = 'outbound.email.opened,inbound.email.received';
    const [first] = await webhook('create', '--url', 'https://hooks.acme.dev/v1', '--events', events);
    expect(first).toMatchObject({
      url: 'https://hooks.acme.dev/v1',
      format: 'v1',
      enabled: true,
      subscriptions: ['email.received', 'email.opened'],
      max_concurrency: 16,
      include: [],
    });
    const [second] = await webhook(
      ...['create', '--url', 'https://hooks.acme.dev/', '--secret', 'chosen', '--max-concurrency', '2'],
    );
    expect(second).toMatchObject({ max_concurrency: 2 });
    expect(second?.subscriptions).toHaveLength(7);
    expect(await webhook('list')).toEqual([first, second]);

    const path = `/webhook-endpoints/${first?.id}`;
    await client.patch(path, { enabled: false });
    expect(await webhook('resume', '--endpoint', first?.id ?? '')).toMatchObject([{ enabled: true }]);
    expect((await client.get(path)).body.enabled).toBe(true);
    const rotate = ['rotate-secret', '--endpoint', second?.id ?? ''] as const;
    expect(await webhook(...rotate, '--secret', 'another')).toMatchObject([{ secret: 'another' }]);
    expect((await webhook(...rotate))[0]?.secret).toMatch(/^whsec_/);

    const refused = await run(
      withRun,
      'webhook',
      'create',
      '--workspace',
      slug,
      '--url',
      'ftp://x.dev',
      '--local',
    );
    expect(refused).toEqual({
      status: 2,
      output: '',
      errors: 'error: --url must be an https URL.\n  See npm run admin -- webhook create --help.\n',
    });
  });

  it('counts dead letters and moves them back to their queue, which works them off', async () => {
    const before = await admin('queue', 'list');
    expect(before.map(({ queue }) => queue)).toEqual([...Object.keys(queues), 'schedules']);
    // A delayed message whose time has come, in the dead-letter queue of the schedules.
    const due = { message: { kind: 'unknown', v: 1 }, dueAt: 0 };
    await new SQSClient({}).send(
      new SendMessageCommand({
        QueueUrl: env().QUEUE_URLS.delays?.replace(/delays$/, 'schedules-dead-letters'),
        MessageBody: JSON.stringify(due),
      }),
    );
    const count = async () =>
      (await admin('queue', 'list')).find(({ queue }) => queue === 'schedules')?.dead_letters;
    expect(await count()).toBe(1);
    expect(await admin('queue', 'redrive', '--queue', 'schedules')).toEqual([
      { queue: 'schedules', moved: 1 },
    ]);
    expect(await count()).toBe(0);
    expect(await admin('queue', 'redrive', '--queue', 'schedules')).toEqual([
      { queue: 'schedules', moved: 0 },
    ]);
  });

  it('replays what the stream lost: an accepted email is sent, and once only', async () => {
    // What other tests changed need not be sent again.
    const since = new Date(now()).toISOString();
    const own = await workspace();
    const client = api(own);
    await inject({ worker: 'relay', kind: 'error', service: 'sqs', match: own.id, times: 5000 });
    const to = `${newSlug()}@example.test`;
    const { body } = await client.post('/emails', {
      ...{ from: `desk@${own.providedDomain}`, to, subject: newSlug(), text: 'T' },
    });
    // One that no other item carries.
    await commit(
      own.id,
      [],
      [{ message: { kind: 'check-domain', v: 1, workspaceId: own.id, domainId: newId('dom') } }],
    );
    await cloud().waitForQuiescence();
    await clearFaults();
    expect((await client.get(`/emails/${body.id}`)).body.status).toBe('queued');
    const [counted] = await admin('outbox', 'replay', '--since', since, '--dry-run');
    await cloud().waitForQuiescence();
    expect(await cloud().sentTo(to)).toEqual([]);
    const [replayed] = await admin('outbox', 'replay', '--since', since);
    expect(Number(replayed?.sent)).toBeGreaterThanOrEqual(2);
    expect(Number(replayed?.sent)).toBeGreaterThanOrEqual(Number(counted?.sent));
    expect(replayed?.failed).toBe(0);
    await cloud().waitForQuiescence();
    await admin('outbox', 'replay', '--since', since);
    await cloud().waitForQuiescence();
    expect(await cloud().sentTo(to)).toHaveLength(1);
    expect((await client.get(`/emails/${body.id}`)).body.status).toBe('delivered');
  });

  it('refuses a replay of other times than the last days', async () => {
    const ago = (days: number) => new Date(now() - days * 86_400_000).toISOString();
    for (const [args, says] of [
      [['--since', ago(1), '--until', ago(2)], '--since is before --until.'],
      [['--since', 'yesterday'], '--since is a time with an offset, such as 2027-01-31T00:00:00Z.'],
      [['--since', ago(16)], '--since is at most 15 days ago.'],
    ] as const) {
      const { code, err } = await runAdmin(['outbox', 'replay', ...args]);
      expect([code, err]).toEqual([2, expect.stringContaining(says)]);
    }
  });

  it('prints its commands when it gets none or --help', async () => {
    for (const args of [[], ['--help']]) {
      const { status, output } = await run(withoutRun, ...args);
      expect(status).toBe(0);
      expect(output).toMatch(/Usage: npm run admin.* workspace .*create, list.* key .*create, list/s);
    }
  });

  it.each([
    [2, ['queue'], 'A command is missing.', 'See npm run admin -- queue --help.'],
    [
      2,
      ['workspace', 'list', '--all'],
      'There is no option --all here.',
      'See npm run admin -- workspace list --help.',
    ],
    [
      1,
      ['workspace', 'list', '--local'],
      'No local run was found: .local/environment.json is missing.',
      'Start one with npm start, in this folder.',
    ],
    [
      1,
      ['workspace', 'list'],
      'The home region is missing.',
      'Give --region, or set AWS_REGION; or give --local.',
    ],
  ])('ends with %i and says what to do when nothing can be done: %j', async (status, args, line, hint) => {
    expect(await run(withoutRun, ...args)).toEqual({
      status,
      output: '',
      errors: `error: ${line}\n  ${hint}\n`,
    });
  });

  it('prints one sentence with the request id when AWS refuses', async () => {
    const fault = { service: 'sqs', action: 'GetQueueAttributes', kind: 'error', times: 100 } as const;
    const ended = async (code: string) => {
      await inject({ ...fault, code, message: 'no' });
      const { code: exitCode, err } = await runAdmin(['queue', 'list', '--json']);
      await clearFaults();
      return { exitCode, ...JSON.parse(err).error };
    };
    expect(await ended('AccessDeniedException')).toMatchObject({
      exitCode: 1,
      code: 'AccessDeniedException',
      detail: 'AWS does not allow the call: no.',
      request_id: expect.any(String),
    });
    expect(await ended('ThrottlingException')).toMatchObject({
      exitCode: 1,
      detail: 'AWS throttles the calls.',
      request_id: expect.any(String),
    });
  });

  it.each([
    [['member', 'list', '--workspace', 'nobody-has-this']],
    [['workspace', 'erase', '--workspace', 'nobody-has-this', '--confirm', 'nobody-has-this']],
  ])('says what is missing when the deployment refuses: %j', async (args) => {
    const errors = 'error: There is no workspace "nobody-has-this".\n  workspace list shows all of them.\n';
    expect(await run(withRun, ...args, '--local')).toEqual({ status: 1, output: '', errors });
  });
});
