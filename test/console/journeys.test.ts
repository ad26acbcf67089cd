/** Who may do what in the console, and what a hostile mail may do there, in a browser. */
import { randomUUID } from 'node:crypto';
import PostalMime from 'postal-mime';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sendOverSmtp } from '../../scripts/fuzz/smtp-client.ts';
import { type Visit, visit } from '../support/browser/visit.ts';
import { openConsole } from '../support/console-tasks.ts';
import { type InboxRun, startInboxRun } from '../support/inbox-run.ts';

let run: InboxRun;
beforeAll(async () => {
  run = await startInboxRun();
});
afterAll(() => run.close());

/** The link of the newest mail to a member. */
async function mailedLink(to: string): Promise<string> {
  await run.control('POST', '/settle');
  type Sent = { readonly data: readonly { readonly id: string }[] };
  const { data } = await run.control<Sent>('GET', `/sent?to=${encodeURIComponent(to)}`);
  const { raw } = await run.control<{ readonly raw: string }>('GET', `/sent/${data.at(-1)?.id}`);
  const { text = '' } = await PostalMime.parse(raw);
  return /http:\/\/\S+\/console\/enter#[\w.-]+/.exec(text)?.[0] ?? '';
}

/** Signs in by a link that the page asks for. */
async function signIn({ open, page }: Visit, email: string): Promise<string> {
  await open('/console');
  await page.getByLabel('Email address').fill(email);
  await page.getByRole('button', { name: 'Send me a link' }).click();
  await page.getByText('a mail with a link is on its way').waitFor();
  const url = await mailedLink(email);
  await open(url);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('heading', { name: 'Conversations', level: 1 }).waitFor();
  return url;
}

/** Nobody is signed in, or the role does not allow it. */
const refusals = [/status of 40[13]/];
/** The page asked for live events just before the session ended. */
const lateHandshake = /WebSocket handshake: Unexpected response code: 403/;

describe('in the console, a person', () => {
  it('signs in by a mailed link, once, and signs out', async () => {
    const email = `olga-${randomUUID()}@example.test`;
    await run.api('POST', '/members', { email, role: 'admin' });
    await visit({ origin: run.origin, expected: [...refusals, lateHandshake] }, async (at) => {
      const url = await signIn(at, email);
      expect(at.page.url()).not.toContain('#');
      await at.page.getByRole('button', { name: 'Sign out' }).click();
      await at.page.getByLabel('Email address').waitFor();
      await at.open(url);
      await at.page.reload();
      // A used link offers nothing.
      await at.page.getByRole('alert').waitFor();
      expect(await at.page.getByRole('button', { name: 'Sign in' }).count()).toBe(0);
      expect(await at.context.cookies()).toEqual([]);
    });
  });

  it('who is a viewer changes nothing: what would is disabled with the reason, and the API refuses', async () => {
    const email = `vera-${randomUUID()}@example.test`;
    await run.api('POST', '/members', { email, role: 'viewer' });
    await visit({ origin: run.origin, expected: refusals }, async (at) => {
      await signIn(at, email);
      await at.page.getByRole('link', { name: 'Suppressions' }).click();
      // The empty list has one, too.
      const add = at.page.getByRole('button', { name: 'Add addresses' }).first();
      await add.focus();
      await at.page.keyboard.press('Enter');
      expect(await add.getAttribute('aria-disabled')).toBe('true');
      expect(await add.getAttribute('title')).toBe('Owners and admins can do this; your role is viewer.');
      expect(await at.page.getByRole('dialog').count()).toBe(0);
      const answer = await at.page.evaluate(`fetch('/api/v2/suppressions', {
        method: 'POST',
        headers: { 'Content-Type': 'application/json', 'X-Console-Request': '1' },
        body: JSON.stringify({ addresses: ['a@example.test'] }),
      }).then(async (response) => [response.status, (await response.json()).code])`);
      expect(answer).toEqual([403, 'forbidden']);
    });
  });

  it('searches, and reads hostile html: no script runs, nothing leaves, pictures on request', async () => {
    const picture = `${run.origin}/docs/none.png?seen`;
    const html = `<p>Kangaroo <b>delivery</b></p><img src="${picture}" alt="map"><img src="x" onerror="alert(1)">
<script>alert(2)</script><form action="http://evil.test/"><button>Go</button></form>
<meta http-equiv="refresh" content="0;url=http://evil.test/"><style>@import url(http://evil.test/a.css);</style>`;
    const from = 'mallory@example.test';
    const raw = `From: "<b>Mallory</b>" <${from}>\r\nTo: support@${run.domain}\r\nSubject: Kangaroo\r\nContent-Type: text/html\r\n\r\n${html.replaceAll('\n', '\r\n')}\r\n`;
    await sendOverSmtp(run.smtpPort, { from, to: `support@${run.domain}`, raw: Buffer.from(raw) });
    await run.control('POST', '/settle');
    const expected = [/Content Security Policy|sandboxed|Refused|Blocked|status of 404/];
    await visit({ origin: run.origin, expected }, async (at) => {
      const { page, context, complaints } = at;
      const asked: string[] = [];
      context.on('request', (request) => asked.push(request.url()));
      await openConsole(at);
      await page.getByLabel('Search subjects and people').fill('kangaroo');
      await page.keyboard.press('Enter');
      await page.getByRole('link', { name: /Kangaroo/ }).click();
      await page.getByRole('button', { name: 'Show as designed' }).click();
      const frame = page.frameLocator('.mail-frame iframe');
      await frame.getByText('Kangaroo').waitFor();
      expect(asked.filter((url) => url === picture)).toEqual([]);
      await page.getByRole('button', { name: 'Load pictures' }).click();
      await page.getByRole('button', { name: 'Load pictures' }).waitFor({ state: 'detached' });
      await frame.getByText('Kangaroo').waitFor();
      expect(complaints().filter((one) => /^(?:dialog|foreign|uncaught)/.test(one))).toEqual([]);
    });
  });
});
