/** Conversations and drafts in a browser: journeys with their clicks, what axe finds, hostile mail. */
import { beforeAll, describe, expect, it } from 'vitest';
import { api } from '../support/api.ts';
import { looks, type Visit, type VisitOptions, visit } from '../support/browser/visit.ts';
import { cloud } from '../support/cloud.ts';
import { browser, ownOrigin, signedIn } from '../support/console.ts';
import { type TestWorkspace, workspace } from '../support/workspace.ts';

const hostileHtml = `<script>parent.hit=1;document.title='hit'</script><meta http-equiv="refresh" content="0;url=https://evil.example/">
<base href="https://evil.example/"><form action="https://evil.example/"><input name="a"><button>Pay</button></form>
<svg onload="parent.hit=1"><script>parent.hit=1</script></svg><img src="x" onerror="parent.hit=1"><iframe src="https://evil.example/"></iframe>
<style>@import url(https://evil.example/a.css);body{background:url(https://evil.example/b)}</style>
<table width="9000"><tr><td>${'wide '.repeat(2_000)}</td></tr></table><img src="https://evil.example/pixel.gif">`;

/** A name in which signs that are not seen turn the order of the letters. */
const hostileSubject = 'Invoice \u202efdp.exe\u200b\u2066 <img src=x onerror=alert(1)>';

let ours: TestWorkspace;
let token: string;
beforeAll(async () => {
  ours = await workspace();
  ({ token } = await signedIn(ours, 'owner'));
  const client = api(ours.key);
  const from = `support@${ours.providedDomain}`;
  const mail = { from, to: 'anna@example.test' };
  const sent = [
    await client.post('/emails', {
      ...mail,
      to: 'bounce@simulator.amazonses.com',
      subject: 'Your receipt',
      text: 'Here.',
    }),
    await client.post('/emails', {
      ...mail,
      subject: hostileSubject,
      html: hostileHtml,
      text: 'x'.repeat(5_000),
    }),
    await client.post('/emails', {
      ...mail,
      subject: 'A draft of an agent',
      text: 'It is due on Monday.',
      draft: true,
    }),
  ];
  expect(sent.map(({ status }) => status)).toEqual([201, 201, 201]);
  await cloud().waitForQuiescence();
});

const inConsole = (run: (current: Visit) => Promise<void>, options: Partial<VisitOptions> = {}) =>
  visit({ origin: ownOrigin(), cookies: [{ name: 'parley_session', value: token }], ...options }, run);

describe('the console', () => {
  it('says why a mail bounced after three clicks at most', () =>
    inConsole(async ({ open, page, clicks }) => {
      await open('/console');
      await page.click('text=Your receipt');
      await page.locator('text=/refused the message/').first().waitFor();
      expect(clicks()).toBeLessThanOrEqual(3);
    }));

  it('opens a conversation by keyboard alone', () =>
    inConsole(async ({ open, page, clicks, focused }) => {
      await open('/console');
      await page.locator('.thread-row').first().waitFor();
      await page.keyboard.press('j');
      const first = await focused();
      await page.keyboard.press('j');
      expect(await focused()).not.toBe(first);
      await page.keyboard.press('Enter');
      await page.locator('.message').first().waitFor();
      expect(clicks()).toBe(0);
    }));

  it('opens a row here, or beside it in a tab of its own', () =>
    inConsole(async ({ open, page, context }) => {
      await open('/console');
      const row = page.locator('.thread-row').first();
      await row.click({ modifiers: ['Control'] });
      await expect.poll(() => context.pages().length).toBe(2);
      const [, beside] = context.pages();
      await beside?.locator('.message').first().waitFor();
      expect(await page.locator('.message').count()).toBe(0);
      await row.click();
      await page.locator('.message').first().waitFor();
      expect(page.url()).toBe(beside?.url());
    }));

  it('sends files that are larger than a request', async () => {
    const sent = await api(ours.key).post<{ id: string; thread_id: string }>('/emails', {
      ...{ from: `support@${ours.providedDomain}`, to: 'anna@example.test', subject: 'Plans', text: 'Soon.' },
    });
    await cloud().waitForQuiescence();
    const files = [
      { name: 'plan.pdf', mimeType: 'application/pdf', buffer: Buffer.alloc(7_000_000, '%') },
      { name: 'note.txt', mimeType: 'text/plain', buffer: Buffer.from('Short.') },
    ];
    await inConsole(
      async ({ open, page, violations }) => {
        await open(`/console/conversations/${sent.body.thread_id}`);
        await page.getByRole('button', { name: 'Reply', exact: true }).click();
        await page.getByLabel('Message', { exact: true }).fill('Here they are.');
        await page
          .locator('input[type=file]')
          .setInputFiles([
            ...files,
            { name: 'film.mp4', mimeType: 'video/mp4', buffer: Buffer.alloc(20_000_000) },
          ]);
        await page.getByText('The files have more than 25 MB in all').waitFor();
        expect(await page.getByRole('button', { name: 'Send', exact: true }).isEnabled()).toBe(false);
        await page.getByRole('button', { name: 'Remove film.mp4' }).click();
        await page.getByRole('button', { name: 'Send', exact: true }).click();
        const answer = page
          .getByRole('article', { name: /Message of/ })
          .filter({ hasText: 'Here they are.' });
        await answer.getByText('plan.pdf').first().waitFor();
        expect(await violations()).toEqual([]);
      },
      { expected: [/^foreign request: PUT [^?]*\/uploads\//] },
    );
    const { messages } = (
      await api(ours.key).get<{ messages: { attachments: { filename: string; size: number }[] }[] }>(
        `/threads/${sent.body.thread_id}`,
      )
    ).body;
    expect(messages.at(-1)?.attachments.map(({ filename, size }) => [filename, size])).toEqual([
      ['plan.pdf', 7_000_000],
      ['note.txt', 6],
    ]);
  });

  it('sends an approved draft after three clicks', () =>
    inConsole(async ({ open, page, clicks }) => {
      await open('/console');
      await page.click('nav >> text=Drafts');
      await page.click('text=A draft of an agent');
      await page.click('text=Approve and send');
      await page.locator('.message >> text=It is due on Monday.').first().waitFor();
      expect(clicks()).toBe(3);
    }));

  it('marks hidden characters of a draft where it is approved, in its edits and in the conversation', async () => {
    const client = api(ours.key);
    const from = `support@${ours.providedDomain}`;
    const text = 'Pay \u202e001 EUR\nmy\u200bbank\nمی‌خواهم 👩‍👧';
    const draft = await client.post<{ id: string; thread_id: string }>('/emails', {
      ...{ from, to: 'anna@example.test', subject: 'Hid\u200bden', text: 'Pay 100 EUR', draft: true },
      html: '<p>Pay &#8238;001 EUR</p>',
    });
    await client.patch(`/emails/${draft.body.id}`, { text, html: '<p>Pay &#8238;001 EUR</p>' });
    await inConsole(async ({ open, page, violations }) => {
      const marks = (within: string) => page.locator(`${within} .hidden-mark`).allTextContents();
      await open(`/console/drafts/${draft.body.id}`);
      await page.getByText('The text has 2 characters that are not seen').waitFor();
      await page.getByText(/^The designed version has a character that is not seen/).waitFor();
      expect([await marks('.draft-text'), await marks('.edited ins')]).toEqual([
        ['U+202E', 'U+200B'],
        ['U+202E', 'U+200B'],
      ]);
      expect(await page.locator('.hidden-mark').first().getAttribute('title')).toBe(
        'U+202E RIGHT-TO-LEFT OVERRIDE',
      );
      await page.getByText('Hid[U+200B]den').first().waitFor();
      expect(await violations()).toEqual([]);
      await page.getByRole('button', { name: 'Show the source' }).click();
      await page.getByText('<p>Pay &#8238;001 EUR</p>').waitFor();
      await page.getByRole('button', { name: 'Edit' }).click();
      await page.getByRole('button', { name: 'Remove' }).click();
      expect(await page.getByLabel('Text', { exact: true }).inputValue()).toBe(
        'Pay 001 EUR\nmybank\nمی‌خواهم 👩‍👧',
      );
      expect((await client.post(`/emails/${draft.body.id}/approve`, { version: 2 })).status).toBe(200);
      await open(`/console/conversations/${draft.body.thread_id}`);
      await page.locator('.message-text .hidden-mark').first().waitFor();
      expect(await marks('.message-text')).toEqual(['U+202E', 'U+200B']);
    });
  });

  it.each(looks)(
    'shows hostile mail, of which nothing runs or loads: $scheme at $viewport.width px',
    (given) =>
      inConsole(async ({ open, page, look, violations, isTooWide }) => {
        await look(given.viewport, given.scheme);
        await open('/console');
        await page.click('text=/Invoice/');
        await page.click('text=Show as designed');
        await page.locator('iframe').first().waitFor();
        // Not waitForFunction, which the policy of the page refuses.
        await page.evaluate(`new Promise((done) => {
          const frame = document.querySelector('iframe');
          if (frame.contentDocument?.querySelector('table')) done();
          else frame.addEventListener('load', () => done());
        })`);
        const shown =
          'document.querySelector("iframe").contentDocument.querySelectorAll("script,form,svg,iframe,base,meta[http-equiv]").length';
        expect(await page.evaluate(`[window.hit ?? null, ${shown}]`)).toEqual([null, 0]);
        expect(await isTooWide()).toBe(false);
        expect(await violations()).toEqual([]);
      }),
  );
});

describe('GET /console/mail/{email_id}', () => {
  const mailOf = async () => {
    const { body } = await api(ours.key).get<{ data: { id: string; subject: string }[] }>('/emails');
    return `/console/mail/${body.data.find(({ subject }) => subject.startsWith('Invoice'))?.id}`;
  };

  it('serves the message of the session under a policy of its own', async () => {
    const { status, headers } = await browser(token).get(await mailOf());
    expect(status).toBe(200);
    expect(headers['content-security-policy']).toMatch(/^sandbox [^;]*; default-src 'none'; /);
    expect(headers['content-security-policy']).not.toMatch(/allow-scripts|script-src|allow-forms/);
    expect(headers['cache-control']).toBe('private, no-store');
  });

  it('answers 404 to the session of another workspace, and 401 without one', async () => {
    const other = await signedIn(await workspace(), 'owner');
    const path = await mailOf();
    expect((await other.get(path)).status).toBe(404);
    expect((await other.get('/console/mail/nothing')).status).toBe(404);
    expect((await api(null).get(path)).status).toBe(401);
    expect((await api(ours.key).get(path)).status).toBe(401);
  });
});
