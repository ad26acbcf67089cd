/** Measures the console and the local inbox of a local run in a browser, and writes `bench/console.md`. */
import { writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { consoleFolders } from '../lib/constructs/console.ts';
import { launchChromium } from '../test/support/browser/chromium.ts';
import type { Browser, Page } from '../test/support/browser/playwright.ts';
import { type InboxRun, startInboxRun } from '../test/support/inbox-run.ts';
import { firstViewBytes, firstViewBytesMax } from './console/first-view.ts';
import { sendOverSmtp } from './fuzz/smtp-client.ts';

const repeats = 5;
const viewMsMax = 1000;
const mailMsMax = 1000;

interface View {
  readonly threads: number;
  readonly paintMs: number;
  readonly listMs: number;
}

const run = await startInboxRun();
const browser = await launchChromium();
try {
  const folders = consoleFolders('Parley');
  const sizes = (['console', 'local inbox'] as const).map((name) => ({
    name,
    ...firstViewBytes(folders, name),
  }));
  const views: View[] = [];
  let sent = 0;
  for (const threads of [50, 1000]) {
    for (; sent < threads; sent++) await receive(run, sent);
    await run.control('POST', '/settle');
    views.push({ threads, ...(await measureView(browser, run)) });
  }
  const page = report(sizes, views, await measureArrival(browser, run, sent));
  writeFileSync(join(import.meta.dirname, '../bench/console.md'), page);
  console.log(page);
} finally {
  await browser.close();
  await run.close();
}

/** A message of a new person. */
async function receive({ smtpPort, domain }: InboxRun, number: number): Promise<void> {
  const [from, to] = [`person${number}@example.test`, `support@${domain}`];
  const raw = `From: ${from}\r\nTo: ${to}\r\nSubject: Question ${number}\r\n\r\nWhen does it arrive?\r\n`;
  const { isAccepted, text } = await sendOverSmtp(smtpPort, { from, to, raw: Buffer.from(raw) });
  if (!isAccepted) throw new Error(text);
}

/** A browser that is signed in; its cache has the files that the inbox loads. */
async function signedIn(browser: Browser, { origin }: InboxRun): Promise<Page> {
  const context = await browser.newContext({ locale: 'en-US' });
  const page = await context.newPage();
  await page.goto(`${origin}/`);
  return page;
}

/** Times from the navigation to the console, the median of fresh browsers. */
async function measureView(browser: Browser, run: InboxRun): Promise<Omit<View, 'threads'>> {
  const [paints, lists]: [number[], number[]] = [[], []];
  for (let at = 0; at < repeats; at++) {
    const page = await signedIn(browser, run);
    await page.goto(`${run.origin}/console`);
    await page
      .getByRole('link', { name: /Question/ })
      .first()
      .waitFor();
    lists.push(await page.evaluate<number>('performance.now()'));
    paints.push(
      await page.evaluate<number>("performance.getEntriesByName('first-contentful-paint')[0].startTime"),
    );
    await page.close();
  }
  return { paintMs: median(paints), listMs: median(lists) };
}

/** Milliseconds from the end of a mail by SMTP until the open inbox shows it. */
async function measureArrival(browser: Browser, run: InboxRun, first: number): Promise<number> {
  const page = await signedIn(browser, run);
  await page
    .getByText(/Question/)
    .first()
    .waitFor();
  const times: number[] = [];
  for (let number = first; number < first + repeats; number++) {
    await receive(run, number);
    const since = performance.now();
    await page.getByText(`Question ${number}`, { exact: true }).first().waitFor();
    times.push(performance.now() - since);
  }
  return median(times);
}

function median(values: readonly number[]): number {
  return Math.round(values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0);
}

function report(
  sizes: readonly { name: string; scripts: number; styles: number }[],
  views: readonly View[],
  arrivalMs: number,
): string {
  const kb = (bytes: number) => `${Math.round(bytes / 1024)} KB`;
  const rows = [
    ...sizes.flatMap(({ name, scripts, styles }) => [
      [`script at the first view of the ${name}, gzip`, kb(firstViewBytesMax), kb(scripts)],
      [`style sheets of it, gzip`, '', kb(styles)],
    ]),
    ...views.flatMap(({ threads, paintMs, listMs }) => [
      [`first content of the console, ${threads} threads`, `${viewMsMax} ms`, `${paintMs} ms`],
      [`its list of conversations, ${threads} threads`, '', `${listMs} ms`],
    ]),
    ['new mail in the open inbox, after its SMTP reply', `${mailMsMax} ms`, `${arrivalMs} ms`],
  ];
  return `# The console and the local inbox

Written by \`npm run measure:console\`: a local run on ${availableParallelism()} cores, Chromium without a screen beside it. Times are the
median of ${repeats}, from the navigation of a browser that has opened the inbox before: it has the files that both share. Waits
look again after up to half a second, so that times but that of the first content are upper bounds. The clicks of the five tasks that a
stranger tries first are counted by \`test/console/journeys.test.ts\`: three at most.

| What | At most | Measured |
|---|---:|---:|
${rows.map((cells) => `| ${cells.join(' | ')} |`).join('\n')}
`;
}
