/** The pages of the console on which a workspace is operated: what people come for. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Visit, type VisitOptions, visit } from '../support/browser/visit.ts';
import { type InboxRun, startInboxRun } from '../support/inbox-run.ts';
import { receiver } from '../support/receiver.ts';

let run: InboxRun;
beforeAll(async () => {
  run = await startInboxRun();
});
afterAll(() => run.close());

const desk = () => `desk@${run.domain}`;

/** A visit of the owner: the inbox signs the browser in. */
async function signedIn(
  act: (visit: Visit) => Promise<void>,
  options: Partial<VisitOptions> = {},
): Promise<void> {
  await visit({ origin: run.origin, locale: 'en-US', ...options }, async (own) => {
    await own.open('/');
    await own.page
      .getByRole('heading', { level: 1 })
      .or(own.page.getByRole('heading', { level: 2 }))
      .first()
      .waitFor();
    await act(own);
  });
}

async function send(to: string, subject: string): Promise<void> {
  await run.api('POST', '/emails', { from: desk(), to: [to], subject, text: 'Hello' });
  await run.control('POST', '/settle');
}

describe('what people come for', () => {
  it('replays a failed webhook in three clicks from the list of endpoints', async () => {
    let status = 500;
    const hook = await receiver(() => ({ status }));
    const subscriptions = ['email.sent'];
    const { id } = await run.api<{ id: string }>('POST', '/webhook-endpoints', {
      url: hook.url,
      subscriptions,
    });
    await run.api('POST', `/webhook-endpoints/${id}/test`, { event_type: 'email.sent' });
    await signedIn(async ({ open, page, clicks }) => {
      await open('/console/webhooks');
      const before = clicks();
      await page.getByRole('link', { name: hook.url }).click();
      await page.getByRole('button', { name: 'email.sent', exact: true }).click();
      status = 200;
      await page.getByRole('button', { name: 'Send again' }).last().click();
      expect(clicks() - before).toBe(3);
      await page.locator('.delivery-head .badge').filter({ hasText: 'Delivered' }).first().waitFor();
    });
    await run.api('DELETE', `/webhook-endpoints/${id}`);
  });

  it('shows which record is wrong, and copies it', async () => {
    const { records } = await run.api<{ records: { value: string }[] }>('POST', '/domains', {
      name: 'acme.dev',
    });
    await signedIn(async ({ open, page, context, clicks, violations }) => {
      await context.grantPermissions(['clipboard-read', 'clipboard-write']);
      await open('/console/domains');
      const before = clicks();
      await page.getByRole('link', { name: /acme\.dev/ }).click();
      await page.getByText('Breaks mail').first().waitFor();
      expect(await violations()).toEqual([]);
      await page.getByRole('button', { name: 'Copy the value of the DKIM record' }).click();
      expect(clicks() - before).toBe(2);
      await page.getByText('Copied').waitFor();
      expect(records.map(({ value }) => value)).toContain(
        await page.evaluate('navigator.clipboard.readText()'),
      );
    });
  });

  it('shows new events by itself, and their body on a click', async () => {
    await signedIn(async ({ open, page }) => {
      await open('/console/events?type=email.sent');
      await page.getByText('Live', { exact: true }).waitFor();
      const subject = `Appears by itself ${randomUUID()}`;
      await send('live@example.test', subject);
      const event = page.getByText(subject);
      await event.waitFor();
      await event.click();
      await page.getByRole('button', { name: 'Copy the body of the event' }).waitFor();
    });
  });

  it('paints a week with the mouse and with keys alone', async () => {
    await signedIn(async ({ open, page }) => {
      await open('/console/pacing/rules/new?kind=hours');
      await page.getByRole('button', { name: 'Clear' }).click();
      await page.locator('[data-slot][tabindex="0"]').focus();
      await page.keyboard.press(' ');
      for (const key of ['ArrowRight', 'ArrowRight', 'ArrowDown']) await page.keyboard.press(`Shift+${key}`);
      await page.getByText('Mon–Wed 09:00–10:00').waitFor();
      const middle = async (slot: number) => {
        const box = await page.locator(`[data-slot="${slot}"]`).boundingBox();
        return [(box?.x ?? 0) + 4, (box?.y ?? 0) + 4] as const;
      };
      await page.mouse.move(...(await middle(5 * 48 + 24)));
      await page.mouse.down();
      await page.mouse.move(...(await middle(6 * 48 + 27)), { steps: 5 });
      await page.mouse.up();
      await page.getByText('Fri, Sat 12:00–14:00').waitFor();
    });
  });

  it('deletes a message and a conversation, and says why one cannot be', async () => {
    const mail = { from: desk(), to: ['gone@example.test'], text: 'Hello' };
    const later = new Date(Date.parse((await run.control<{ now: string }>('GET', '/clock')).now) + 3_600_000);
    const [sent, waiting] = [
      await run.api<{ thread_id: string }>('POST', '/emails', { ...mail, subject: 'To be deleted' }),
      await run.api<{ id: string; thread_id: string }>('POST', '/emails', {
        ...{ ...mail, subject: 'Not yet', scheduled_at: later.toISOString() },
      }),
    ];
    await run.control('POST', '/settle');
    await signedIn(
      async ({ open, page }) => {
        const remove = async (name: string) => {
          await page.getByRole('button', { name, exact: true }).click();
          return page.getByRole('dialog');
        };
        await open(`/console/conversations/${waiting.thread_id}`);
        const refused = await remove('Delete');
        await refused.getByText('This cannot be undone.').waitFor();
        await refused.getByRole('button', { name: 'Delete conversation' }).click();
        await refused.getByText('it can be deleted when it is canceled or has left.').waitFor();
        await refused.getByRole('button', { name: 'Keep' }).click();
        await open(`/console/conversations/${sent.thread_id}`);
        const asked = await remove('Delete message');
        await asked.getByText('and the conversation with it').waitFor();
        await asked.getByRole('button', { name: 'Delete message' }).click();
        await page.getByText('The message is deleted').waitFor();
        await page.getByRole('link', { name: /Not yet/ }).waitFor();
        await page.getByRole('link', { name: /To be deleted/ }).waitFor({ state: 'detached' });
      },
      { expected: [/status of 409/] },
    );
    await run.api('POST', `/emails/${waiting.id}/cancel`);
    await run.api('DELETE', `/threads/${waiting.thread_id}`);
  });

  it('draws its charts where the language of the browser is no language tag', async () => {
    await send('chart@example.test', 'Drawn');
    await signedIn(async ({ context, open, page }) => {
      await context.addInitScript({
        content: "Object.defineProperty(navigator, 'language', { get: () => 'en-US@posix' })",
      });
      await open('/console/settings/usage');
      await page.locator('.chart canvas').first().waitFor();
      expect(await page.evaluate('navigator.language')).toBe('en-US@posix');
      await open('/console/settings/limits');
      await page
        .getByText(/recipients used/)
        .first()
        .waitFor();
    });
  });

  it('names what is lost, and loses nothing on the way out', async () => {
    const { id } = await run.api<{ id: string }>('POST', '/domains', { name: 'lost.dev' });
    await signedIn(async ({ open, page }) => {
      await open(`/console/domains/${id}`);
      await page.getByRole('button', { name: 'Delete', exact: true }).click();
      await page
        .getByRole('dialog', { name: 'Delete lost.dev?' })
        .getByText(/mail to it is not received/)
        .waitFor();
      await page.keyboard.press('Escape');
      await page.getByRole('button', { name: 'Delete', exact: true }).click();
      await page.getByRole('button', { name: 'Delete domain' }).click();
      await page.getByText('lost.dev is deleted').waitFor();
    });
    await expect(run.api('GET', `/domains/${id}`)).rejects.toThrow('404');
  });
});
