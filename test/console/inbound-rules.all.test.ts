/** Inbound rules and blocked mail in the browser: what people come for. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sendOverSmtp } from '../../scripts/fuzz/smtp-client.ts';
import { type Visit, type VisitOptions, visit } from '../support/browser/visit.ts';
import { type InboxRun, startInboxRun } from '../support/inbox-run.ts';

let run: InboxRun;
beforeAll(async () => {
  run = await startInboxRun();
});
afterAll(() => run.close());

const desk = () => `desk@${run.domain}`;

interface Rule {
  readonly id: string;
  readonly action: string;
  readonly pattern: string;
  readonly address: string | null;
  readonly space_id: string | null;
  readonly note: string | null;
}
const rules = async () => (await run.api<{ data: Rule[] }>('GET', '/inbound-rules')).data;

/** A visit of the owner: the inbox signs the browser in. */
async function signedIn(act: (visit: Visit) => Promise<void>, options: Partial<VisitOptions> = {}) {
  await visit({ origin: run.origin, ...options }, async (own) => {
    await own.open('/');
    await own.page.getByRole('heading').first().waitFor();
    await act(own);
  });
}

/** Mail arrives, and what follows from it is done. */
async function arrives(from: string, subject: string, to = desk()): Promise<void> {
  const raw = `From: ${from}\r\nTo: ${to}\r\nSubject: ${subject}\r\n\r\nHello.\r\n`;
  await sendOverSmtp(run.smtpPort, { from, to, raw: Buffer.from(raw) });
  await run.control('POST', '/settle');
}

const subjects = async (from: string) =>
  (
    await run.api<{ data: { subject: string; from: { address: string } }[] }>(
      'GET',
      '/emails?direction=inbound',
    )
  ).data
    .filter((email) => email.from.address === from)
    .map(({ subject }) => subject);

describe('a person', () => {
  it('blocks the sender of a message by the form that is filled in, and lets one of their mails in', async () => {
    const from = 'eve@spam.test';
    await arrives(from, 'Before the rule');
    await signedIn(async ({ open, page, clicks }) => {
      await open('/console');
      await page.getByRole('link', { name: /Before the rule/ }).click();
      await page.getByRole('link', { name: 'Block this sender' }).click();
      expect(await page.getByLabel('Sender', { exact: true }).inputValue()).toBe(from);
      await page.getByText(`mail from ${from} is blocked in the whole workspace`).waitFor();
      await page.getByRole('button', { name: 'Block', exact: true }).click();
      await page.getByRole('link', { name: from }).waitFor();
      expect(clicks()).toBe(3);

      await page.getByRole('link', { name: 'Blocked mail' }).click();
      await page.getByText('Nothing was blocked').waitFor();
      await arrives(from, 'After the rule');
      // The page shows it by itself.
      await page.getByText('After the rule').waitFor();
      expect(await subjects(from)).toEqual(['Before the rule']);
      await page.getByRole('button', { name: `Let in the mail from ${from}` }).click();
      await page.getByText('Let in', { exact: true }).waitFor();
      await run.control('POST', '/settle');
      expect(await subjects(from)).toEqual(['After the rule', 'Before the rule']);
      await page.getByRole('link', { name: 'Find its conversation' }).click();
      await page.getByRole('link', { name: /After the rule/ }).waitFor();
    });
  });

  it('is told that an allow rule blocks everybody else before it is made, and what its deletion opens', async () => {
    await signedIn(async ({ open, page }) => {
      await open('/console/inbound-rules/new');
      await page.getByLabel('Sender', { exact: true }).fill('@acme.test');
      await page.getByLabel('Action').selectOption('allow');
      await page.getByLabel('Where').selectOption('address');
      await page.getByLabel('Our address').fill(desk());
      await page
        .getByText(`every address at acme.test is let in at ${desk()}, and everything else is blocked there`)
        .waitFor();
      await page.getByRole('button', { name: 'Allow', exact: true }).click();
      await page.getByRole('link', { name: '@acme.test' }).click();
      await page.getByLabel('Action').selectOption('block');
      await page.getByText('everybody can write there again').waitFor();

      await open('/console/inbound-rules/new?action=allow&pattern=ben@beta.test');
      await page.getByLabel('Where').selectOption('address');
      await page.getByLabel('Our address').fill(desk());
      await page.getByText('Senders that no allow rule names stay blocked there').waitFor();
      await page.getByRole('button', { name: 'Allow', exact: true }).click();

      await page.getByRole('button', { name: 'Delete ben@beta.test' }).click();
      const dialog = page.getByRole('dialog');
      await dialog.getByText(`mail from ben@beta.test is blocked at ${desk()}`).waitFor();
      await dialog.getByRole('button', { name: 'Delete rule' }).click();
      await dialog.waitFor({ state: 'detached' });
      await page.getByRole('link', { name: 'ben@beta.test' }).waitFor({ state: 'detached' });
      await page.getByRole('button', { name: 'Delete @acme.test' }).click();
      await dialog.getByText('everybody can write there again').waitFor();
      await dialog.getByRole('button', { name: 'Delete rule' }).click();
      await dialog.waitFor({ state: 'detached' });
      await page.getByRole('link', { name: '@acme.test' }).waitFor({ state: 'detached' });
    });
    expect((await rules()).filter(({ action }) => action === 'allow')).toEqual([]);
  });

  it('makes a rule for a space, finds it, changes its note, and is refused a second one', async () => {
    const { id: space } = await run.api<{ id: string }>('POST', '/spaces', { name: 'Agents' });
    await signedIn(
      async ({ open, page }) => {
        await open(`/console/inbound-rules/new?pattern=${encodeURIComponent('@*.news.test')}&space=${space}`);
        await page.getByText('every address below news.test is blocked in the space Agents').waitFor();
        await page.getByRole('button', { name: 'Block', exact: true }).click();
        await page.getByRole('link', { name: '@*.news.test' }).waitFor();
        await page.getByLabel('Space', { exact: true }).selectOption('none');
        await page.getByRole('link', { name: '@*.news.test' }).waitFor({ state: 'detached' });
        await page.getByLabel('Space', { exact: true }).selectOption(space);
        await page.getByLabel('Sender or address contains').fill('NEWS');
        await page.getByRole('link', { name: '@*.news.test' }).click();
        await page.getByLabel('Note').fill('Newsletters');
        await page.getByRole('button', { name: 'Save' }).click();
        await page.getByText('Newsletters').waitFor();
        await open(`/console/inbound-rules/new?pattern=${encodeURIComponent('@*.NEWS.test')}&space=${space}`);
        await page.getByRole('button', { name: 'Block', exact: true }).click();
        await page.getByText('has a rule with this action and scope already').waitFor();
      },
      { expected: [/status of 4\d\d/] },
    );
    const [rule] = (await rules()).filter(({ pattern }) => pattern === '@*.news.test');
    expect(rule).toMatchObject({ space_id: space, address: null, action: 'block', note: 'Newsletters' });
  });

  it('finds no button at mail that is no longer kept', async () => {
    await run.api('POST', '/inbound-rules', { action: 'block', pattern: '@late.test' });
    await arrives('old@late.test', 'Too late');
    await signedIn(async ({ open, page, context }) => {
      await context.addInitScript({
        content: 'const now = Date.now; Date.now = () => now() + 31 * 86_400_000;',
      });
      await open('/console/inbound-rules/blocked');
      await page.getByText('No longer kept: blocked mail is deleted after 30 days.').first().waitFor();
      expect(await page.getByRole('button', { name: /Let in/ }).count()).toBe(0);
    });
  });
});
