/** Live events in two tabs of a browser, and in a browser without WebSockets. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Page } from '../support/browser/playwright.ts';
import { type Visit, visit } from '../support/browser/visit.ts';
import { type InboxRun, startInboxRun } from '../support/inbox-run.ts';

let run: InboxRun;
beforeAll(async () => {
  run = await startInboxRun();
});
afterAll(() => run.close());

async function signedIn(act: (visit: Visit) => Promise<void>): Promise<void> {
  await visit({ origin: run.origin }, async (own) => {
    await own.open('/');
    await own.page
      .getByRole('heading', { level: 1 })
      .or(own.page.getByRole('heading', { level: 2 }))
      .first()
      .waitFor();
    await act(own);
  });
}

const send = (subject: string) =>
  run.api('POST', '/emails', {
    from: `desk@${run.domain}`,
    to: ['anna@example.test'],
    subject,
    text: 'Hello',
  });

const isLive = (page: Page) => page.getByText('Live', { exact: true }).waitFor();

describe('the console', () => {
  it('shows in two tabs what happens, over a connection each, and asks for no events', async () => {
    await signedIn(async ({ open, page, context, picture }) => {
      const list = await context.newPage();
      await list.goto(new URL('/console/conversations', run.origin).href);
      await list.getByRole('heading', { name: 'Conversations', level: 1 }).waitFor();
      await open('/console/events?type=email.sent');
      await isLive(page);
      await send('The first one');
      for (const tab of [page, list])
        await tab
          .getByText(/^The first one/)
          .first()
          .waitFor();
      const paths: string[] = [];
      context.on('request', (request) => paths.push(new URL(request.url()).pathname));
      await send('The second one');
      for (const tab of [page, list])
        await tab
          .getByText(/^The second one/)
          .first()
          .waitFor();
      await picture('live events');
      expect(paths.filter((path) => path === '/api/v2/events')).toEqual([]);
    });
  });

  it('holds events back while the page is paused', async () => {
    await signedIn(async ({ open, page }) => {
      await open('/console/events?type=email.sent');
      await isLive(page);
      await page.getByRole('button', { name: 'Pause' }).click();
      const subject = `While it was paused ${randomUUID()}`;
      await send(subject);
      await run.control('POST', '/settle');
      expect(await page.getByText(subject).count()).toBe(0);
      await page.getByRole('button', { name: 'Go on' }).click();
      await page.getByText(subject).waitFor();
    });
  });

  it('reads the log where the browser has no WebSocket', async () => {
    await signedIn(async ({ open, page, context }) => {
      await context.addInitScript({ content: 'delete window.WebSocket' });
      await open('/console/events?type=email.sent');
      await isLive(page);
      const subject = `Without a socket ${randomUUID()}`;
      await send(subject);
      await page.getByText(subject).waitFor();
    });
  });
});
