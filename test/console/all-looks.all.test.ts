/**
 * Every page of the console in every look, empty and full of what strangers wrote: axe finds nothing, nothing is too wide, and
 * the Tab key reaches everything and shows where it is.
 */
import { randomUUID } from 'node:crypto';
import PostalMime from 'postal-mime';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { sendOverSmtp } from '../../scripts/fuzz/smtp-client.ts';
import { keyboardFaults } from '../support/browser/keyboard.ts';
import { desk, looks, phone, type Visit, visit } from '../support/browser/visit.ts';
import { connectAt } from '../support/connect-mailbox.ts';
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

/** What axe finds in each look of each page, what is wider than the window, and what the Tab key does not reach. */
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
      if (scheme === 'light')
        faults.push(...(await keyboardFaults(page)).map((fault) => `${name}: ${fault}`));
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

it('the pages of the local inbox, by keyboard', async () => {
  await run.api('POST', '/emails', {
    from: `desk@${run.domain}`,
    to: ['keys@example.test'],
    subject: 'Keys',
    html: '<a href="https://example.test">Read</a>',
  });
  await run.control('POST', '/settle');
  await visit({ origin: run.origin }, async ({ open, page, look }) => {
    for (const path of ['/', '/write', '/webhooks', '/panel']) {
      for (const viewport of [desk, phone]) {
        await look(viewport, 'light');
        await open(path);
        await page
          .locator(path === '/' ? '.message:visible, .person:visible' : 'h1:visible')
          .first()
          .waitFor();
        expect([path, await keyboardFaults(page)]).toEqual([path, []]);
      }
    }
  });
});

/** The path of the newest link that a member was mailed. */
async function mailedPath(email: string): Promise<string> {
  await run.control('POST', '/settle');
  type Sent = { readonly data: readonly { readonly id: string }[] };
  const { data } = await run.control<Sent>('GET', `/sent?to=${encodeURIComponent(email)}`);
  const { raw } = await run.control<{ readonly raw: string }>('GET', `/sent/${data.at(-1)?.id}`);
  const { text = '' } = await PostalMime.parse(raw);
  return /\/console\/(enter#[\w.-]+)/.exec(text)?.[1] ?? '';
}

it('the sign-in pages, also with a link that is valid', async () => {
  const email = `olga-${randomUUID()}@example.test`;
  await run.api('POST', '/members', { email, role: 'admin' });
  const expected = [/status of 401/];
  const faults = await visit({ origin: run.origin, expected }, async (own) => {
    const { open, page } = own;
    await open('/console');
    await page.getByLabel('Email address').fill(email);
    await page.getByRole('button', { name: 'Send me a link' }).click();
    await page.getByText('a mail with a link is on its way').waitFor();
    const path = await mailedPath(email);
    await open(`/console/${path}`);
    await page.getByRole('button', { name: 'Sign in' }).waitFor();
    return await faultsOf(own, ['', 'enter#no.link', path]);
  });
  expect(faults).toEqual([]);
});

it('the pages of mailboxes: connected, of one that has to be connected again, and their apps', async () => {
  for (const provider of ['google', 'microsoft'] as const) {
    let id = '';
    for (const address of [`${'a'.repeat(60)}@${provider}.example`, `ben@${provider}.example`]) {
      const accounts = `/mailbox-providers/${provider}/accounts`;
      await run.control('POST', accounts, { address, name: hostile.slice(0, 100) });
      const request = { provider, return_to: 'https://acme.test/connected' };
      const { url } = await run.api<{ readonly url: string }>('POST', '/mailboxes/connect', request);
      id = await connectAt(url, { address });
    }
    await run.control('POST', `/mailbox-providers/${provider}/accounts/ben@${provider}.example/revoke`, {});
    await run.api('POST', `/mailboxes/${id}/sync`);
  }
  await run.api('POST', '/oauth-apps', {
    provider: 'google',
    name: hostile.slice(0, 60),
    slug: 'hostile',
    client_id: 'c'.repeat(100),
    client_secret: 'secret',
    return_urls: [`https://acme.test/${'r'.repeat(150)}`],
  });
  await run.control('POST', '/settle');
  const { data } = await run.api<{ readonly data: readonly { state: string }[] }>('GET', '/mailboxes');
  expect(new Set(data.map(({ state }) => state)).size).toBe(2);
  expect(await lookAt(['mailboxes', 'mailboxes/apps'])).toEqual([]);
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
  const local = '<img/src=x>'.replace(/[<>]/g, "'");
  for (const email of [`${'a'.repeat(60)}@example.test`, `${local}@example.test`])
    await run.api('POST', '/members', { email, role: 'viewer' });
  await run.api('POST', '/suppressions', { addresses: ['ben@example.test'], note: hostile });
  const rule = await run.api<Created>('POST', '/pacing-rules', {
    ...held,
    limit: { scope: 'rule', amount: 1, per_seconds: 86_400 },
  });
  for (const to of ['a@held.test', 'b@held.test']) await run.api('POST', '/emails', { ...mail, to: [to] });
  const sent = await run.api<Created>('POST', '/emails', { ...mail, html: `<b>${hostile}</b>` });
  const draft = await run.api<Created>('POST', '/emails', { ...mail, draft: true });
  const domain = await run.api<Created>('POST', '/domains', {
    name: `${'d'.repeat(60)}.${'e'.repeat(60)}.xn--80ak6aa92e.dev`,
  });
  const url = `${run.origin}/_control/receiver/${'r'.repeat(60)}?q=<img src=x>\u202e${'Q'.repeat(200)}`;
  const endpoint = await run.api<Created>('POST', '/webhook-endpoints', {
    url,
    subscriptions: ['email.sent'],
  });
  await run.api('POST', '/emails', { ...mail, to: ['carl@example.test'] });
  await run.control('POST', '/settle');
  const own = [
    ...[`conversations/${sent.thread_id}`, `drafts/${draft.id}`, `domains/${domain.id}`],
    ...[`webhooks/${endpoint.id}`, `pacing/rules/${rule.id}`],
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
