/** What people do in the local inbox and the console, in a browser. */
import PostalMime from 'postal-mime';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { visit } from '../support/browser/visit.ts';
import { openConsole, sendFromDemo, taskClicksMax, tasks } from '../support/console-tasks.ts';
import { type InboxRun, startInboxRun } from '../support/inbox-run.ts';

let run: InboxRun;
beforeAll(async () => {
  run = await startInboxRun();
});
afterAll(() => run.close());

describe('in three clicks from the start page, a stranger can', () => {
  it.each(tasks)('$name', async ({ start, prepare, perform }) => {
    await prepare(run);
    await visit({ origin: run.origin }, async (at) => {
      await (start === '/' ? at.open('/') : openConsole(at));
      await perform(at, run);
      expect(at.clicks()).toBeLessThanOrEqual(taskClicksMax);
    });
  });
});

describe('in the console, a person', () => {
  it('answers with a file', async () => {
    await sendFromDemo(run, { to: ['dora@example.test'], subject: 'The contract' });
    await visit({ origin: run.origin }, async (at) => {
      const { page } = at;
      await openConsole(at);
      await page.getByRole('link', { name: /The contract/ }).click();
      await page.getByRole('button', { name: 'Reply', exact: true }).click();
      await page.getByLabel('Message', { exact: true }).fill('Here it is.');
      const file = { name: 'contract.txt', mimeType: 'text/plain', buffer: Buffer.from('Signed.') };
      await page.locator('input[type=file]').setInputFiles([file]);
      await page.getByRole('button', { name: 'Send', exact: true }).click();
      // The composer has both, too, until the email is accepted.
      const answer = page.getByRole('article', { name: /Message of/ }).filter({ hasText: 'Here it is.' });
      await answer.getByText('contract.txt').first().waitFor();
    });
    await run.control('POST', '/settle');
    type Sent = { readonly data: readonly { readonly id: string }[] };
    const { data } = await run.control<Sent>('GET', '/sent?to=dora@example.test');
    const { raw } = await run.control<{ readonly raw: string }>('GET', `/sent/${data.at(-1)?.id}`);
    const { attachments, text } = await PostalMime.parse(raw);
    expect([text?.startsWith('Here it is.'), attachments.map(({ filename }) => filename)]).toEqual([
      true,
      ['contract.txt'],
    ]);
  });

  it('leaves an address out, takes it back, and sees what is used of the limits', async () => {
    await visit({ origin: run.origin }, async (at) => {
      const { page } = at;
      await openConsole(at, '/suppressions');
      await page.getByRole('button', { name: 'Add addresses' }).first().click();
      await page.getByRole('textbox', { name: 'Addresses' }).fill('erik@example.test');
      await page.getByRole('button', { name: 'Leave out' }).click();
      const remove = page.getByRole('button', { name: 'Remove erik@example.test' });
      await remove.click();
      await page
        .getByRole('dialog')
        .or(page.getByRole('alertdialog'))
        .getByRole('button', { name: 'Remove' })
        .click();
      await remove.waitFor({ state: 'detached' });
      await page.getByRole('link', { name: 'Settings' }).click();
      await page.getByRole('link', { name: 'Limits' }).click();
      await page
        .getByText(/of 1?[\d,]+ recipients used/)
        .first()
        .waitFor();
    });
  });
});
