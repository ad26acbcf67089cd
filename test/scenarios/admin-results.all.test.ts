/** What each command of `npm run admin` prints with `--json`: programs depend on it. */
import { readFileSync } from 'node:fs';
import { beforeEach, describe, expect, it } from 'vitest';
import { commands } from '../../bin/admin/program.ts';
import { now } from '../../lib/adapters/clock.ts';
import type { WorkspaceId } from '../../lib/core/ids.ts';
import { env } from '../../lib/env.ts';
import { api } from '../support/api.ts';
import { cloud } from '../support/cloud.ts';
import { tearDown } from '../support/deleted-space.ts';
import { adminResult, runAdmin } from '../support/operator.ts';
import { type TestWorkspace, workspace } from '../support/workspace.ts';

/** Runs a command in this process, whose target is the cloud of the tests. */
const admin = (line: string) => adminResult(line.split(' ')) as Promise<object>;

/** What a command that is refused says, and its exit code. */
async function refused(line: string) {
  const { code, err } = await runAdmin([...line.split(' '), '--json']);
  const { detail, hint } = JSON.parse(err).error;
  return { line: detail, exitCode: code, ...(hint && { hint }) };
}

const at = expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/);
let own: TestWorkspace;
let of: string;
beforeEach(async () => {
  own = await workspace();
  of = `--workspace ${own.slug}`;
});

const limits = {
  units_per_second: expect.any(Number),
  capacity: expect.any(Number),
  in_flight: expect.any(Number),
  recipients_per_hour: expect.any(Number),
  recipients_per_day: expect.any(Number),
};
const key = {
  id: expect.stringMatching(/^key_/),
  name: expect.any(String),
  scope: 'read',
  prefix: expect.stringMatching(/^pk_/),
  created_at: at,
  last_used_at: null,
  expires_at: '2099-01-31T00:00:00.000Z',
  allowed_ips: ['192.0.2.0/24', '2001:db8::1'],
};
const endpoint = {
  id: expect.stringMatching(/^whk_/),
  url: 'https://hooks.acme.dev/',
  enabled: true,
  format: 'v1',
  click_event: 'link_clicked',
  subscriptions: ['email.received'],
  routing: [],
  max_concurrency: 16,
  include: [],
  previous_secret_expires_at: null,
  created_at: at,
  updated_at: at,
};
const ofWorkspace = () => ({
  id: own.id,
  slug: own.slug,
  name: own.slug,
  provided_domain: own.providedDomain,
  created_at: at,
  erased_at: null,
});

describe('npm run admin --json', () => {
  it('prints workspaces, their settings and their limits', async () => {
    const slug = `${own.slug}-b`;
    expect(await admin(`workspace create --slug ${slug}`)).toEqual({
      ...ofWorkspace(),
      id: expect.stringMatching(/^wks_/),
      slug,
      name: slug,
      provided_domain: own.providedDomain.replace(own.slug, slug),
      full_key: expect.stringMatching(/^pk_/),
    });
    expect(await admin('workspace list')).toContainEqual(ofWorkspace());
    expect(await admin(`workspace suspend ${of}`)).toEqual({
      slug: own.slug,
      suspended: true,
      changed: true,
    });
    expect(await admin(`workspace suspend ${of}`)).toEqual({
      slug: own.slug,
      suspended: true,
      changed: false,
    });
    expect(await admin(`workspace show ${of}`)).toEqual({
      ...ofWorkspace(),
      members: 0,
      api_keys: 1,
      webhook_endpoints: 0,
      suspended: { reason: 'operator', at },
      settings: {
        event_log: true,
        link_domain: null,
        require_own_oauth_app: false,
        inbound_policy: { spam: 'mark', virus: 'mark', dmarc: 'mark' },
      },
      limits,
      erasure: null,
    });
    expect(await admin(`workspace resume ${of}`)).toEqual({
      slug: own.slug,
      suspended: false,
      changed: true,
    });
    const policy = { spam: 'drop', virus: 'mark', dmarc: 'mark' };
    expect(await admin(`workspace inbound-policy ${of} --spam drop`)).toEqual(policy);
    expect(await admin(`workspace read-threads ${of}`)).toEqual({ threads: 0 });
    expect(await admin(`workspace event-log ${of} --state off`)).toEqual({ event_log: false });
    expect(await admin(`workspace link-domain ${of} --domain links.acme.dev`)).toEqual({
      link_domain: 'links.acme.dev',
    });
    expect(await admin(`workspace retention ${of} --days 30`)).toEqual({
      retention_days: 30,
      is_default: false,
    });
    await admin(`workspace retention ${of} --days default`);
    expect(await admin(`workspace own-oauth-app ${of} --required on`)).toEqual({
      require_own_oauth_app: true,
    });
    expect(await admin(`workspace show ${of}`)).toMatchObject({
      settings: {
        event_log: false,
        require_own_oauth_app: true,
        link_domain: 'links.acme.dev',
        inbound_policy: policy,
      },
    });
  });

  it('prints the limits in force, changed one by one and reset by group', async () => {
    const before = await admin(`workspace limits ${of}`);
    expect(before).toEqual({ ...limits, suspended: null });
    const changed = await admin(`workspace limits ${of} --capacity 900 --recipients-per-day 70000`);
    expect(changed).toEqual({ ...before, capacity: 900, recipients_per_day: 70_000 });
    expect(await admin(`workspace limits ${of} --default budget`)).toEqual({
      ...before,
      recipients_per_day: 70_000,
    });
    expect(await admin(`workspace limits ${of} --default all`)).toEqual(before);
  });

  it('prints members', async () => {
    const member = { email: 'bo@acme.test', role: 'member', outage_mail: true };
    const email = `${of} --email bo@acme.test`;
    const link = `member link ${of} --email bo@acme.test`;
    expect(await admin(`member add ${email}`)).toEqual({ ...member, sign_in: link });
    expect(await admin(`${link} --api https://mail.acme.test`)).toEqual({
      email: 'bo@acme.test',
      url: expect.stringMatching(/^https:\/\/mail\.acme\.test\/console\/enter#\S+$/),
      expires_at: expect.any(String),
    });
    expect(await admin(`member update ${email} --role owner --outage-mail off`)).toEqual({
      ...member,
      role: 'owner',
      outage_mail: false,
    });
    expect(await admin(`member list ${of}`)).toEqual([{ ...member, role: 'owner', outage_mail: false }]);
    expect(await admin(`member remove ${email}`)).toEqual({ email: member.email, removed: true });
    const gone = {
      line: `bo@acme.test is no member of "${own.slug}".`,
      exitCode: 1,
      hint: 'member list shows all of them.',
    };
    expect(await refused(`member remove ${email}`)).toEqual(gone);
    expect(await refused(`member update ${email} --role owner`)).toEqual(gone);
    expect(await admin(`member list ${of}`)).toEqual([]);
  });

  it('prints keys', async () => {
    const terms = `--expires-at ${key.expires_at} --allowed-ips ${key.allowed_ips.join()}`;
    const made = await admin(`key create ${of} --name k --scope read ${terms}`);
    expect(made).toEqual({ ...key, key: expect.stringMatching(/^pk_/) });
    expect(await admin(`key list ${of}`)).toContainEqual(key);
    const { id } = made as { id: string };
    expect(await admin(`key delete ${of} --key ${id}`)).toEqual({ id, deleted: true });
    expect(await refused(`key delete ${of} --key ${id}`)).toEqual({
      line: 'There is no such API key.',
      exitCode: 1,
    });
    const past = 'key create --name k --expires-at 2001-01-01T00:00:00Z';
    expect(await refused(`${past} ${of}`)).toMatchObject({
      line: '--expires-at is in the past.',
      exitCode: 2,
    });
  });

  it('prints webhook endpoints', async () => {
    const made = await admin(`webhook create ${of} --url ${endpoint.url} --events inbound.email.received`);
    expect(made).toEqual(endpoint);
    const { id } = made as { id: string };
    const ofEndpoint = `${of} --endpoint ${id}`;
    expect(await admin(`webhook pause ${ofEndpoint}`)).toEqual({ ...endpoint, id, enabled: false });
    expect(await admin(`webhook resume ${ofEndpoint}`)).toEqual({ ...endpoint, id });
    const clicked = { ...endpoint, id, click_event: 'clicked' };
    expect(await admin(`webhook update ${ofEndpoint} --click-event clicked`)).toEqual(clicked);
    expect(await admin(`webhook update ${ofEndpoint} --click-event link_clicked`)).toEqual({
      ...endpoint,
      id,
    });
    expect(await admin(`webhook rotate-secret ${ofEndpoint} --secret another`)).toEqual({
      ...endpoint,
      id,
      secret: 'another',
    });
    expect(await admin(`webhook list ${of}`)).toEqual([{ ...endpoint, id }]);
    expect(await admin(`webhook delete ${ofEndpoint}`)).toEqual({ id, deleted: true });
    expect(await refused(`webhook pause ${ofEndpoint}`)).toMatchObject({ exitCode: 1 });
  });

  it('prints the way of an email', async () => {
    const mail = {
      from: `hi@${own.providedDomain}`,
      to: 'anna@people.example.test',
      subject: 'Hi',
      text: 'Hi',
    };
    const { body } = await api(own).post('/emails', mail);
    await cloud().waitForQuiescence();
    const steps = await admin(`trace ${body.id} ${of}`);
    const detail = `workspace ${own.slug}, ${body.thread_id}, delivered now`;
    expect(steps).toContainEqual({ at, step: 'accepted', id: body.id, detail });
    const ms = expect.stringMatching(/^\d+ ms$/);
    expect(steps).toContainEqual({ at, step: 'request', id: expect.any(String), detail: ms });
  });

  it('prints queues and the outbox', async () => {
    expect(await admin('queue list')).toContainEqual({ queue: 'tasks', dead_letters: expect.any(Number) });
    expect(await admin('domain queue')).toContainEqual({
      region: 'us-east-1',
      waiting: expect.any(Number),
      with_mail: expect.any(Number),
      last_turn_at: null,
    });
    expect(await admin('queue redrive --queue schedules')).toEqual({
      queue: 'schedules',
      moved: expect.any(Number),
    });
    const replayed = { scanned: expect.any(Number), sent: expect.any(Number), failed: expect.any(Number) };
    const since = new Date(now() - 60_000).toISOString();
    expect(await admin(`outbox replay --since ${since} --dry-run`)).toEqual(replayed);
  });

  it('prints what a restore has lost and held, as a dry run', async () => {
    // Before every email of these tests.
    const moment = '--restored-to 2020-01-31T12:00:00Z';
    expect(await admin(`restore reconcile --table ${env().TABLE_NAME} ${moment} --dry-run`)).toEqual({
      table: env().TABLE_NAME,
      unconfirmed: [],
      completed: [],
      of_mailboxes: [],
      scheduled: [],
      drafts: [],
      drafts_sent: [],
      deleted_since: expect.any(Array),
      without_content: [],
      lost: expect.any(Array),
      lost_sent: expect.any(Array),
      lost_received: expect.any(Array),
      received_since: expect.any(Number),
      logs: { lines: expect.any(Number), unread: null },
    });
    expect(await admin(`restore replay ${moment} --dry-run`)).toEqual({
      outbox: { scanned: expect.any(Number), sent: expect.any(Number), failed: expect.any(Number) },
      received: expect.any(Number),
      unaddressed: expect.any(Array),
      dead_letters: 0,
    });
    expect(await admin(`restore settle --as list --workspace ${own.id}`)).toEqual({
      settled_as: 'list',
      emails: [],
    });
    expect(await refused(`restore reconcile --table other ${moment} --dry-run`)).toMatchObject({
      line: `This process works on the table "${env().TABLE_NAME}".`,
      exitCode: 1,
    });
  });

  it('prints audit logs with every change of the operator, and of spaces by API', async () => {
    const { id, slug, key: token } = await workspace();
    const client = api(token);
    const space = await client.post('/spaces', { name: 'Acme' });
    expect((await client.delete(`/spaces/${space.body.id}`)).status).toBe(204);
    await admin(`workspace limits --workspace ${slug} --capacity 7`);
    await admin(`workspace show --workspace ${slug}`);
    const [keyOfTest] = (await client.get<{ data: { id: string }[] }>('/api-keys')).body.data;
    const list = `audit list --workspace ${slug}`;
    expect(await admin(list)).toEqual([
      { at, actor: 'operator', action: 'operator.command', subject: 'workspace limits --capacity 7' },
      { at, actor: keyOfTest?.id, action: 'space.deleted', subject: space.body.id },
      { at, actor: 'operator', action: 'key.created', subject: keyOfTest?.id },
    ]);
    expect(await admin(`${list} --limit 1`)).toHaveLength(1);

    const erasing = { id, slug, erased: true, phase: 'keys' };
    expect(await admin(`workspace erase --workspace ${slug} --confirm ${slug}`)).toEqual(erasing);
    expect((await client.get('/api-keys')).status).toBe(401);
    expect(await refused(list)).toMatchObject({
      line: `The workspace "${slug}" is being erased.`,
      exitCode: 1,
    });
    await cloud().waitForQuiescence();
    expect(await admin(`workspace show --workspace ${slug}`)).toMatchObject({
      erased_at: at,
      api_keys: 0,
      erasure: { phase: 'pacing-rules', step: 2 },
    });
    expect(await admin(`workspace erase --workspace ${slug} --confirm ${slug}`)).toMatchObject({
      phase: 'pacing-rules',
    });
    await tearDown(id as WorkspaceId, 'workspace');
    expect(await refused(`workspace show --workspace ${slug}`)).toMatchObject({
      line: `There is no workspace "${slug}".`,
      exitCode: 1,
    });
    expect(await admin('audit deployment --limit 1')).toEqual([
      { at, actor: 'operator', action: 'operator.command', subject: `workspace erase ${slug} ${id}` },
    ]);
  });

  it('prints what an erasure of a person counts, which its audit entry does not name', async () => {
    const client = api(own);
    const from = `desk@${own.providedDomain}`;
    const draft = { from, to: 'anna@example.test', subject: 'A', text: 'A', draft: true };
    const { body: ended } = await client.post('/emails', draft);
    expect((await client.delete(`/emails/${ended.id}`)).status).toBe(204);
    await client.post('/emails', draft);
    const person = `person erase ${of} --address Anna@Example.test`;
    const counts = {
      ...{ emails: 0, emails_naming: 0, scheduled: 0, drafts: 1, threads: 0, files: 0, raw_messages: 0 },
      ...{ events: expect.any(Number), deliveries: 0, blocked_emails: 0, suppressions: 0 },
      ...{ correspondents: 0, inbound_rules: 0, audit_entries: 0 },
      ...{ in_progress: [], is_member: false, mailbox: null },
    };
    const shown = { workspace: own.slug, dry_run: true, ...counts };
    expect(await admin(`${person} --dry-run`)).toEqual(shown);
    expect(await admin(`${person} --confirm anna@example.test`)).toEqual({ ...shown, dry_run: false });
    const [byOperator, byKey] = (await admin(`audit list ${of}`)) as object[];
    expect(byOperator).toMatchObject({ actor: 'operator', subject: 'person erase' });
    expect(byKey).toMatchObject({ action: 'email.deleted', subject: ended.id });
  });

  it('has a case in this file for every command', () => {
    const source = readFileSync(import.meta.filename, 'utf8');
    const missing = Object.keys(commands).filter((name) => !new RegExp(`[\`']${name}[ \`']`).test(source));
    expect(missing).toEqual([]);
  });
});
