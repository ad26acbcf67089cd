/**
 * Fuzzed and real odd mail in a browser: its page in the console with the frame, and its person in the local inbox. Nothing runs,
 * nothing leaves, nothing throws, nothing is wider than the window. One message of each kind, to stay under a minute.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { committedCorpus, messagesUnder } from '../../scripts/corpus/files.ts';
import { messageCase, targetedCount } from '../../scripts/fuzz/message-cases.ts';
import { sendOverSmtp } from '../../scripts/fuzz/smtp-client.ts';
import { type Visit, visit } from '../support/browser/visit.ts';
import { type InboxRun, startInboxRun } from '../support/inbox-run.ts';

const seed = 1;
const casesRead = 400;
const octetsMax = 300_000;
/** Of the messages of other projects with html. */
const corpusEvery = 12;

let run: InboxRun;
beforeAll(async () => {
  run = await startInboxRun();
  const to = `support@${run.domain}`;
  const send = (raw: Buffer, at: number) =>
    sendOverSmtp(run.smtpPort, { from: `case${at}@example.test`, to, raw });
  await Promise.all([...fuzzed(), ...ofCorpus()].map(send));
  await run.control('POST', '/settle');
});
afterAll(() => run.close());

/** The first case of each kind that is not too large for a browser on a slow machine. */
function fuzzed(): Buffer[] {
  const mailbox = `support@${run.domain}`;
  const correspondence = {
    ...{ mailbox, sentId: '<sent@example.test>', optionalId: '<optional@example.test>' },
    ...{ ownId: '<own@example.test>', threadId: 'thr_none' },
    ...{ customer: 'customer@example.test', bystander: 'bystander@elsewhere.test' },
  };
  const found = new Map<string, Buffer>();
  for (let number = targetedCount; number < targetedCount + casesRead; number += 1) {
    const { kind, raw } = messageCase(seed, number, correspondence);
    // The messages of the kind corpus depend on what lies beside the repository.
    if (kind !== 'corpus' && raw.length <= octetsMax && !found.has(kind)) found.set(kind, raw);
  }
  return [...found.values()];
}

function ofCorpus(): Buffer[] {
  return messagesUnder('.', committedCorpus)
    .map((name) => readFileSync(join(committedCorpus, name)))
    .filter((raw) => raw.length <= octetsMax && /text\/html/i.test(raw.toString('latin1')))
    .filter((_, at) => at % corpusEvery === 0);
}

/** The policies of the frame refuse what mail asks for, and Chromium says so. */
const refused = [/Content Security Policy|sandboxed|Refused|Blocked|status of 404/];

/** What happened that must not, with the name of the mail that was open. */
async function faultsOf({ complaints, isTooWide }: Visit, name: string): Promise<string[]> {
  const found = complaints().filter((one) => !refused.some((pattern) => pattern.test(one)));
  return [...found, ...((await isTooWide()) ? ['too wide'] : [])].map((fault) => `${name}: ${fault}`);
}

/** Where the local inbox shows each message: its author is the person. */
async function inboxPaths(): Promise<string[]> {
  type Page = { readonly data: readonly { readonly address: string; readonly id: string }[] };
  const people = await run.control<Page>('GET', '/people?limit=100');
  const paths = people.data.map(async ({ address }) => {
    const path = `/people/${encodeURIComponent(address)}`;
    const { data } = await run.control<Page>('GET', `${path}/messages?limit=100`);
    return data.map(({ id }) => `${path}/${id}`);
  });
  return (await Promise.all(paths)).flat();
}

it('runs nothing, sends nothing and breaks nothing in the local inbox', async () => {
  const paths = await inboxPaths();
  expect(paths.length).toBeGreaterThan(25);
  const faults = await visit({ origin: run.origin, expected: refused }, async (at) => {
    const { open, page } = at;
    const found: string[] = [];
    for (const path of paths) {
      await open(path);
      await page.locator('.message-facts').waitFor();
      for (const tab of await page.locator('.message').getByRole('tab').all()) await tab.click();
      found.push(...(await faultsOf(at, path)));
      if (!page.url().startsWith(`${run.origin}/people/`)) found.push(`${path}: left the page`);
    }
    return found;
  });
  expect([...new Set(faults)]).toEqual([]);
});

it('runs nothing, sends nothing and breaks nothing in the console', async () => {
  type Listed = { readonly data: readonly { readonly id: string; readonly thread_id: string }[] };
  const { data } = await run.api<Listed>('GET', '/emails?direction=inbound&limit=100');
  const threads = new Map(data.map(({ id, thread_id }) => [thread_id, id]));
  expect(threads.size).toBeGreaterThan(15);
  const faults = await visit({ origin: run.origin, expected: refused }, async (at) => {
    const { open, page } = at;
    const found: string[] = [];
    await open('/');
    await page.locator('.person').first().waitFor();
    for (const [thread, email] of threads) {
      await open(`/console/conversations/${thread}#${email}`);
      await page.locator('.message-body').first().waitFor();
      const designed = page.getByRole('button', { name: 'Show as designed' });
      if ((await designed.count()) > 0) {
        await designed.first().click();
        await page.frameLocator('.mail-frame iframe >> nth=0').locator('body').waitFor({ state: 'attached' });
      }
      await page
        .getByRole('button', { name: /^(?:Headers|Delivery) and details$/ })
        .first()
        .click();
      found.push(...(await faultsOf(at, thread)));
      if (!page.url().startsWith(`${run.origin}/console/`)) found.push(`${thread}: left the page`);
    }
    return found;
  });
  expect([...new Set(faults)]).toEqual([]);
});
