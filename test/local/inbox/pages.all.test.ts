/** The local inbox in a browser: what a newcomer does, all looks, and hostile mail. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sendOverSmtp } from '../../../scripts/fuzz/smtp-client.ts';
import { looks, phone, visit } from '../../support/browser/visit.ts';
import { type InboxRun, startInboxRun } from '../../support/inbox-run.ts';

let run: InboxRun;
beforeAll(async () => {
  run = await startInboxRun();
});
afterAll(() => run.close());

const support = () => `support@${run.domain}`;

async function send(to: string, more: object = {}): Promise<void> {
  const email = { from: support(), to: [to], subject: 'Your order', html: '<p>On its <b>way</b>.</p>' };
  await run.api('POST', '/emails', { ...email, ...more });
  await run.control('POST', '/settle');
}

describe('the inbox', () => {
  it('shows the first steps before the first mail, and mail without a reload', async () => {
    await visit({ origin: run.origin }, async ({ open, page, violations }) => {
      await open('/');
      await page.getByRole('heading', { name: 'No mail yet' }).waitFor();
      expect(await violations()).toEqual([]);
      await page.evaluate('window.isSame = true');
      await send('first@example.test', { subject: 'Appears' });
      const person = page.getByRole('link', { name: /first@example\.test/ });
      await person.waitFor();
      expect(await page.evaluate('window.isSame')).toBe(true);
    });
  });

  it('answers as the recipient in two clicks, and the answer arrives in the thread of the service', async () => {
    await send('anna@example.test');
    await visit({ origin: run.origin }, async ({ open, page, clicks, picture }) => {
      await open('/');
      await page.getByRole('heading', { name: 'anna@example.test' }).waitFor();
      await page.getByRole('button', { name: 'Reply', exact: true }).click();
      await page.keyboard.type('It came, thank you.');
      await page.getByRole('button', { name: 'Send', exact: true }).click();
      expect(clicks()).toBe(2);
      await page.getByText(`Reply: delivered to ${support()}.`).waitFor();
      const service = page.getByRole('complementary' as 'region', { name: 'What the service has' });
      const answer = service.getByText('human');
      await answer.waitFor();
      await answer.click();
      await service.getByText('It came, thank you.', { exact: true }).waitFor();
      await picture('inbox');
    });
  });

  it('bounces, complains, answers automatically and unsubscribes as the person, and shows what comes of it', async () => {
    await send('busy@example.test', { unsubscribe: true });
    await visit({ origin: run.origin }, async ({ open, page }) => {
      await open('/people/busy%40example.test');
      const press = (name: string) => page.getByRole('button', { name, exact: true }).click();
      await press('Auto-reply');
      await page.getByText('Auto-reply: delivered to').waitFor();
      await press('Unsubscribe');
      await page.getByText('Unsubscribe: the service answered 200.').waitFor();
      await press('Complain');
      await page.getByText('Complain: SES reports it to the service.').waitFor();
      await page.locator('.message .timeline').getByText('complaint').waitFor();
      await page.locator('.service .history').getByText('complained').waitFor();
      await page.locator('.service').getByText('out_of_office').waitFor();
    });
  });

  it('writes as a new person', async () => {
    await visit({ origin: run.origin }, async ({ open, page }) => {
      await open('/write');
      await page.getByLabel('From').fill('Maria@Example.test');
      await page.getByLabel('Name').fill('Maria');
      await page.getByLabel('To').fill(support());
      await page.getByLabel('Subject').fill('A question');
      await page.getByLabel('Text').fill('Where is my order?');
      const [name, mimeType] = ['note.txt', 'text/plain'];
      await page.getByLabel(/^Attach files/).setInputFiles([{ name, mimeType, buffer: Buffer.from('note') }]);
      await page.getByRole('button', { name: 'Send', exact: true }).click();
      await page.getByRole('heading', { name: 'maria@example.test' }).waitFor();
      await page.locator('.service').getByText('Where is my order?').waitFor();
      await page.locator('.service').getByText('note.txt').waitFor();
    });
  });

  it('receives webhooks, whose signatures are valid', async () => {
    await visit({ origin: run.origin }, async ({ open, page }) => {
      await open('/webhooks');
      const connect = page.getByRole('button', { name: 'Send all events here' });
      await connect.click();
      // An event of the mail before may be there at once.
      await connect.waitFor({ state: 'detached' });
      await send('hook@example.test');
      await page.locator('.log').getByText('email.sent').first().waitFor();
      await page.getByText('signature valid').first().waitFor();
      expect(await page.getByText('signature invalid').count()).toBe(0);
    });
  });

  it('moves the clock on the panel, and injects and removes a fault', async () => {
    await visit({ origin: run.origin }, async ({ open, page }) => {
      await open('/panel');
      await page.getByRole('button', { name: '1 minute' }).click();
      await page.getByText(/became due/).waitFor();
      await page.getByRole('button', { name: 'Inject' }).click();
      await page.getByText('ses SendEmail: throttle, 1 more').waitFor();
      await page.getByRole('button', { name: 'Remove' }).click();
      await page.getByText('No call fails on purpose.').waitFor();
    });
  });

  it.each(looks)('has no violation in $scheme at $viewport.width px', async ({ viewport, scheme }) => {
    await send('looks@example.test', { subject: 'Looks' });
    await visit({ origin: run.origin, viewport, colorScheme: scheme }, async (at) => {
      const person = '/people/looks%40example.test';
      for (const path of ['/', person, '/write', '/webhooks', '/panel']) {
        await at.open(path);
        await at.page
          .locator(path === person ? '.service .history' : '.person, form, .card, .log')
          .first()
          .waitFor();
        expect([path, await at.violations()]).toEqual([path, []]);
        expect([path, await at.isTooWide()]).toEqual([path, false]);
        await at.picture(`inbox ${path} ${viewport.width} ${scheme}`, { fullPage: false });
      }
    });
  });

  it('is used by keyboard alone', async () => {
    await send('keys@example.test', { subject: 'Keys' });
    await visit({ origin: run.origin }, async ({ open, page, clicks, focused }) => {
      await open('/');
      await page.getByRole('heading', { name: 'keys@example.test' }).waitFor();
      for (let presses = 0; presses < 60 && !/Reply$/.test(await focused()); presses += 1) {
        await page.keyboard.press('Tab');
      }
      await page.keyboard.press('Enter');
      await page.keyboard.type('By keyboard');
      await page.keyboard.down('Control');
      await page.keyboard.press('Enter');
      await page.keyboard.up('Control');
      await page.getByText('Reply: delivered to').waitFor();
      expect(clicks()).toBe(0);
    });
  });
});

it('marks hidden characters in the view of the service', async () => {
  await send('marks@example.test', {
    subject: 'Hid\u202eden',
    text: 'my\u200bbank می‌خواهم',
    html: undefined,
  });
  await visit({ origin: run.origin }, async ({ open, page }) => {
    await open('/people/marks%40example.test');
    await page.locator('.service .hidden-mark').first().waitFor();
    expect(await page.locator('.service .hidden-mark').allTextContents()).toEqual(['U+200B']);
    await page.locator('.service').getByText('Hid[U+202E]den').waitFor();
  });
});

const hostile: Readonly<Record<string, { fields?: string; html: string }>> = {
  script: { html: '<script>alert(1)</script><img src=x onerror="alert(2)"><svg onload="alert(3)"></svg>' },
  svg: {
    html: '<svg><script>alert(1)</script><foreignObject><iframe srcdoc="<script>alert(2)</script>"></iframe></foreignObject></svg>',
  },
  css: {
    html: '<style>@import url(http://evil.test/a.css); body{background:url(http://evil.test/b.png);position:fixed;inset:-9999px;z-index:99999}</style><div style="background-image:url(//evil.test/c)">x</div>',
  },
  refresh: {
    html: '<meta http-equiv="refresh" content="0;url=http://evil.test/"><base href="http://evil.test/">',
  },
  form: {
    html: '<form action="http://evil.test/" id=f><button form=f>go</button><input autofocus onfocus="alert(1)"></form>',
  },
  links: {
    html: '<link rel="stylesheet" href="http://evil.test/x"><link rel=prefetch href="http://evil.test/y"><a href="javascript:alert(1)">a</a><object data="http://evil.test/"></object><embed src="http://evil.test/"><video src="http://evil.test/v" autoplay poster="http://evil.test/p"></video><iframe src="http://evil.test/"></iframe>',
  },
  tables: { html: `${'<table><tr><td>'.repeat(3000)}deep` },
  wide: { html: `<table width="90000"><tr>${'<td>wide</td>'.repeat(3000)}</tr></table>` },
  large: { html: `<p>${'word '.repeat(1_000_000)}</p>` },
  names: {
    fields: `Subject: ${'\u202etxet desrever\u202c \u200b\u200d'.repeat(30)}\r\nX-Long: ${'x'.repeat(900)}`,
    html: '<p>\u202ereversed\u2066 \ufeff\u200b</p>',
  },
  unbroken: { fields: `Subject: ${'W'.repeat(900)}`, html: `<p>${'W'.repeat(100_000)}</p>` },
};

interface Laid {
  readonly isRead: boolean;
  readonly isCopied: boolean;
  /** Characters of a text node. */
  readonly longest: number;
}

describe('hostile mail', () => {
  it.each(Object.entries(hostile))(
    'of %s runs nothing, sends nothing and breaks no page',
    async (name, { fields, html }) => {
      const person = `hostile-${name}@example.test`;
      const subject = fields?.includes('Subject:') ? '' : `Subject: ${name}\r\n`;
      const from = `From: "<img src=x onerror=alert(1)> \u202e${name}" <${person}>`;
      const lines = html.replace(/(.{900})/gs, '$1\r\n');
      const raw = `${from}\r\nTo: ${support()}\r\n${subject}${fields ? `${fields}\r\n` : ''}Content-Type: text/html; charset=utf-8\r\n\r\n${lines}\r\n`;
      await sendOverSmtp(run.smtpPort, { from: person, to: support(), raw: Buffer.from(raw) });
      await run.control('POST', '/settle');
      // The policies of the frame refuse what the message asks for, and Chromium says so.
      const expected = [/Content Security Policy|sandboxed|Refused|Blocked script/];
      await visit(
        { origin: run.origin, expected },
        async ({ open, page, isTooWide, look, complaints, picture }) => {
          await open(`/people/${encodeURIComponent(person)}`);
          await page.locator('.mail-frame').waitFor();
          // The page always waits for news, so that its network is never idle.
          await page.frameLocator('.mail-frame').locator('body').waitFor({ state: 'attached' });
          for (const tab of ['Text', 'Headers', 'Source', 'Html']) {
            await page.getByRole('tab', { name: tab, exact: true }).click();
          }
          await page.locator('.service .same').waitFor();
          expect(await isTooWide()).toBe(false);
          await look(phone, 'dark');
          expect(await isTooWide()).toBe(false);
          await picture(`hostile ${name}`, { fullPage: false });
          expect(
            complaints().filter((one) => /^(?:dialog|foreign|uncaught|the page crashed)/.test(one)),
          ).toEqual([]);
          expect(page.url()).toContain('/people/');
        },
      );
    },
  );

  it('of one line with characters without a glyph is laid out in short pieces, and read and copied as one text', async () => {
    const line = 'a\ud7ff'.repeat(20_000);
    const raw = `From: fonts@example.test\r\nTo: ${support()}\r\nSubject: Fonts\r\nContent-Type: text/plain; charset=utf-8\r\n\r\n${line}\r\n`;
    await sendOverSmtp(run.smtpPort, {
      from: 'fonts@example.test',
      to: support(),
      raw: Buffer.from(raw),
    });
    await visit({ origin: run.origin }, async ({ open, page }) => {
      await open('/people/fonts%40example.test');
      await page.getByLabel('Text of the message').waitFor();
      const { isRead, isCopied, longest } = await page.evaluate<Laid>(`(() => {
        const pre = document.querySelector('.message .long-text pre');
        getSelection().selectAllChildren(pre);
        const nodes = document.createTreeWalker(pre, NodeFilter.SHOW_TEXT);
        let longest = 0;
        while (nodes.nextNode()) longest = Math.max(longest, nodes.currentNode.length);
        const line = ${JSON.stringify(line)};
        return { isRead: pre.innerText === line, isCopied: getSelection().toString() === line, longest };
      })()`);
      expect({ isRead, isCopied }).toEqual({ isRead: true, isCopied: true });
      expect(longest).toBeLessThanOrEqual(1_000);
    });
  });

  it('to 300 recipients is shown with a few of them', async () => {
    const to = Array.from({ length: 300 }, (_, at) => `p${at}@crowd.test`).join(',\r\n ');
    const raw = `From: crowd@example.test\r\nTo: ${support()},\r\n ${to}\r\nSubject: Crowd\r\n\r\nHello\r\n`;
    await sendOverSmtp(run.smtpPort, {
      from: 'crowd@example.test',
      to: support(),
      raw: Buffer.from(raw),
    });
    await visit({ origin: run.origin }, async ({ open, page, isTooWide }) => {
      await open('/people/crowd%40example.test');
      await page.getByRole('button', { name: '296 more' }).click();
      await page.getByText('p299@crowd.test').waitFor();
      expect(await isTooWide()).toBe(false);
    });
  });
});
