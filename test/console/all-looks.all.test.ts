/** Every page of the console in every look, empty and full of what strangers wrote: axe finds nothing, nothing is too wide. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { sendOverSmtp } from '../../scripts/fuzz/smtp-client.ts';
import { desk, looks, type Visit, visit } from '../support/browser/visit.ts';
import { type InboxRun, startInboxRun } from '../support/inbox-run.ts';

let run: InboxRun;
beforeAll(async () => {
  run = await startInboxRun();
});
afterAll(() => run.close());

const hostile = `<img src=x onerror=alert(1)>\u202egnp.exe\u200b${'N'.repeat(200)}`;

const pages = [
  ['conversations', 'conversations/new', 'drafts', 'domains', 'mailboxes', 'mailboxes/apps', 'webhooks'],
  ['events', 'suppressions', 'pacing', 'pacing/waiting', 'pacing/rules/new?kind=hours'],
  ['pacing/rules/new?kind=limit', 'settings/usage', 'settings/limits', 'settings/keys', 'settings/members'],
  ['settings/you', 'no-such-page'],
  ['inbound-rules', 'inbound-rules/blocked', 'inbound-rules/new?action=allow&pattern=@acme.dev'],
].flat();

/** What axe finds in each look of each page, and what is wider than the window. */
async function faultsOf({ open, page, look, violations, isTooWide }: Visit, paths: readonly string[]) {
  const faults: string[] = [];
  for (const path of paths) {
    await look(desk, 'light');
    await open(`/console/${path}`);
    await page.getByRole('heading', { level: 1 }).first().waitFor();
    await page.locator('.loading').first().waitFor({ state: 'hidden' });
    for (const { viewport, scheme } of looks) {
      await look(viewport, scheme);
      const name = `${path}, ${viewport.width} px, ${scheme}`;
      faults.push(...(await violations()).map((violation) => `${name}: ${violation}`));
      if (await isTooWide()) faults.push(`${name}: too wide`);
    }
  }
  return faults;
}

/** A visit of the owner: the inbox signs the browser in. */
async function lookAt(paths: readonly string[]): Promise<string[]> {
  return await visit({ origin: run.origin }, async (own) => {
    await own.open('/');
    return await faultsOf(own, paths);
  });
}

it('the pages of an empty workspace', async () => {
  expect(await lookAt(pages)).toEqual([]);
});

it('the sign-in pages', async () => {
  const expected = [/status of 401/];
  const faults = await visit({ origin: run.origin, expected }, (own) => faultsOf(own, ['', 'enter#no.link']));
  expect(faults).toEqual([]);
});

it('the pages of a workspace with hostile names', async () => {
  type Created = { readonly id: string; readonly thread_id: string };
  const from = `desk@${run.domain}`;
  const mail = { from, to: ['anna@example.test'], subject: hostile, text: hostile };
  const held = {
    name: hostile.slice(0, 100),
    match: [{ field: 'to', pattern: '*@held.test' }],
    kind: 'limit',
  };
  await run.api('POST', '/api-keys', { name: hostile, scope: 'read' });
  await run.api('POST', '/members', { email: `${'a'.repeat(60)}@example.test`, role: 'viewer' });
  await run.api('POST', '/suppressions', { addresses: ['ben@example.test'], note: hostile });
  await run.api('POST', '/pacing-rules', {
    ...held,
    limit: { scope: 'rule', amount: 1, per_seconds: 86_400 },
  });
  for (const to of ['a@held.test', 'b@held.test']) await run.api('POST', '/emails', { ...mail, to: [to] });
  const sent = await run.api<Created>('POST', '/emails', { ...mail, html: `<b>${hostile}</b>` });
  const draft = await run.api<Created>('POST', '/emails', { ...mail, draft: true });
  const domain = await run.api<Created>('POST', '/domains', { name: 'acme.dev' });
  const url = `${run.origin}/_control/receiver/${'r'.repeat(100)}`;
  const endpoint = await run.api<Created>('POST', '/webhook-endpoints', {
    url,
    subscriptions: ['email.sent'],
  });
  await run.api('POST', '/emails', { ...mail, to: ['carl@example.test'] });
  await run.control('POST', '/settle');
  const own = [
    ...[`conversations/${sent.thread_id}`, `drafts/${draft.id}`, `domains/${domain.id}`],
    `webhooks/${endpoint.id}`,
  ];
  expect(await lookAt([...own, ...pages])).toEqual([]);
});

it('inbound rules and blocked mail with hostile names', async () => {
  const [from, to] = [`${'e'.repeat(60)}@spam.test`, `desk@${run.domain}`];
  const space = await run.api<{ readonly id: string }>('POST', '/spaces', { name: hostile.slice(0, 100) });
  const rule = { action: 'block', pattern: from, note: hostile };
  const { id } = await run.api<{ readonly id: string }>('POST', '/inbound-rules', rule);
  await run.api('POST', '/inbound-rules', { ...rule, space_id: space.id });
  const raw = `From: ${from}\r\nTo: ${to}\r\nSubject: ${hostile}\r\n\r\n${hostile}\r\n`;
  await sendOverSmtp(run.smtpPort, { from, to, raw: Buffer.from(raw) });
  await run.control('POST', '/settle');
  const form = `inbound-rules/new?action=allow&pattern=${encodeURIComponent(hostile)}&space=${space.id}`;
  expect(await lookAt(['inbound-rules', 'inbound-rules/blocked', `inbound-rules/${id}`, form])).toEqual([]);
});
