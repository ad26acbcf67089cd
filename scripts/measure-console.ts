/**
 * Measures the console and the local inbox of a local run in a browser, counts the clicks of tasks, and writes `bench/console.md`;
 * with `--lists` the section on long lists alone.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { consoleFolders } from '../lib/constructs/console.ts';
import { launchChromium } from '../test/support/browser/chromium.ts';
import { countClicks } from '../test/support/browser/count-clicks.ts';
import type { Browser, Cookie } from '../test/support/browser/playwright.ts';
import { taskClicksMax, tasks } from '../test/support/console-tasks.ts';
import { type InboxRun, startInboxRun } from '../test/support/inbox-run.ts';
import { median } from './bench/figures.ts';
import { firstViewBytes, firstViewBytesMax } from './console/first-view.ts';
import { measureLongLists, renderLongLists } from './console/long-lists.ts';
import { sendOverSmtp } from './fuzz/smtp-client.ts';

const repeats = 5;
const viewMsMax = 1000;
const mailMsMax = 1000;

/** First views, and the selector of what their lists show. */
const views = [
  { name: 'console', path: '/console', list: '.thread-row' },
  { name: 'local inbox', path: '/', list: '.person' },
] as const;

/** Resolves to the time of the first content; the browser may report it later than the list is in the document. */
const firstPaint = `new Promise((resolve) =>
  new PerformanceObserver((entries) => {
    const paint = entries.getEntriesByName('first-contentful-paint')[0];
    if (paint) resolve(paint.startTime);
  }).observe({ type: 'paint', buffered: true }))`;

interface Times {
  readonly name: string;
  readonly threads: number;
  readonly paintMs: readonly number[];
  readonly listMs: readonly number[];
}

const file = join(import.meta.dirname, '../bench/console.md');
const listsTitle = '## Long lists';

const run = await startInboxRun();
const browser = await launchChromium();
try {
  const cookies = await sessionOf(browser, run);
  const lists = renderLongLists(await measureLongLists(browser, run.origin, cookies));
  const isWhole = !process.argv.includes('--lists');
  const views = isWhole
    ? await measureViews(cookies)
    : (readFileSync(file, 'utf8').split(listsTitle)[0] ?? '');
  const page = `${views.trim()}\n\n${listsTitle}\n\n${lists}\n`;
  writeFileSync(file, page);
  console.log(page);
} finally {
  await browser.close();
  await run.close();
}

/** Sizes, times of first views and of new mail, clicks. */
async function measureViews(cookies: readonly Cookie[]): Promise<string> {
  const folders = consoleFolders('Parley');
  const sizes = views.map(({ name }) => ({ name, ...firstViewBytes(folders, name) }));
  const times: Times[] = [];
  let sent = 0;
  for (const threads of [50, 1000]) {
    for (; sent < threads; sent++) await receive(run, sent);
    await run.control('POST', '/settle');
    for (const view of views)
      times.push({ ...view, threads, ...(await measureView(browser, run, cookies, view)) });
  }
  const arrivals = await measureArrival(browser, run, cookies, sent);
  return report({ sizes, times, arrivals, clicks: await countTasks(browser) });
}

/** A message of a new person. */
async function receive({ smtpPort, domain }: InboxRun, number: number): Promise<void> {
  const [from, to] = [`person${number}@example.test`, `support@${domain}`];
  const raw = `From: ${from}\r\nTo: ${to}\r\nSubject: Question ${number}.\r\n\r\nWhen does it arrive?\r\n`;
  const { isAccepted, text } = await sendOverSmtp(smtpPort, { from, to, raw: Buffer.from(raw) });
  if (!isAccepted) throw new Error(text);
}

/** The cookies of the owner, whom the inbox signs in. */
async function sessionOf(browser: Browser, { origin }: InboxRun): Promise<readonly Cookie[]> {
  const context = await browser.newContext({ locale: 'en-US' });
  const page = await context.newPage();
  await page.goto(`${origin}/`);
  await page.locator('h1, h2').first().waitFor();
  const cookies = await context.cookies();
  await context.close();
  return cookies;
}

/** Resolves `name` in the page at the change of the document with which `condition` becomes true, to its time since 1970 in ms. */
function observer(name: string, condition: string): string {
  return `
  window.${name} = new Promise((resolve) => {
    const look = () => {
      if (!document.body || !(${condition})) return;
      observed.disconnect();
      resolve(performance.timeOrigin + performance.now());
    };
    const observed = new MutationObserver(look);
    observed.observe(document, { subtree: true, childList: true, characterData: true });
  });`;
}

/** Times from the navigation, each of a browser without any file in its cache. */
async function measureView(
  browser: Browser,
  { origin }: InboxRun,
  cookies: readonly Cookie[],
  { path, list }: (typeof views)[number],
): Promise<Pick<Times, 'paintMs' | 'listMs'>> {
  const [paintMs, listMs]: [number[], number[]] = [[], []];
  for (let at = 0; at < repeats; at++) {
    const context = await browser.newContext({ locale: 'en-US' });
    await context.addCookies(cookies);
    await context.addInitScript({ content: observer('__listed', `document.querySelector('${list}')`) });
    const page = await context.newPage();
    await page.goto(`${origin}${path}`);
    listMs.push(await page.evaluate<number>('__listed.then((at) => at - performance.timeOrigin)'));
    paintMs.push(await page.evaluate<number>(firstPaint));
    await context.close();
  }
  return { paintMs, listMs };
}

/** Milliseconds from the SMTP reply to a mail until the open inbox has it in its document. */
async function measureArrival(
  browser: Browser,
  run: InboxRun,
  cookies: readonly Cookie[],
  first: number,
): Promise<readonly number[]> {
  const context = await browser.newContext({ locale: 'en-US' });
  await context.addCookies(cookies);
  await context.addInitScript({
    content: Array.from({ length: repeats }, (_, at) =>
      observer(`__shown${at}`, `document.body.textContent.includes('Question ${first + at}.')`),
    ).join(''),
  });
  const page = await context.newPage();
  await page.goto(`${run.origin}/`);
  await page.locator('.person').first().waitFor();
  const times: number[] = [];
  for (let at = 0; at < repeats; at++) {
    await receive(run, first + at);
    const repliedAt = performance.timeOrigin + performance.now();
    const shownAt = await page.evaluate<number>(`__shown${at}`);
    times.push(Math.max(0, shownAt - repliedAt));
  }
  await context.close();
  return times;
}

/** The clicks of the tasks of a stranger, with the counter of their journeys. */
async function countTasks(browser: Browser): Promise<readonly (readonly [string, number])[]> {
  const run = await startInboxRun();
  const counted: [string, number][] = [];
  try {
    for (const { prepare } of tasks) await prepare(run);
    for (const { name, start, perform } of tasks) {
      const context = await browser.newContext({ locale: 'en-US', viewport: { width: 1280, height: 800 } });
      const clicks = await countClicks(context);
      const page = await context.newPage();
      await page.goto(`${run.origin}/`);
      if (start !== '/') await page.goto(`${run.origin}${start}`);
      await perform({ page, context }, run);
      counted.push([name, clicks()]);
      await context.close();
    }
  } finally {
    await run.close();
  }
  return counted;
}

function report({
  sizes,
  times,
  arrivals,
  clicks,
}: {
  readonly sizes: readonly { name: string; scripts: number; styles: number }[];
  readonly times: readonly Times[];
  readonly arrivals: readonly number[];
  readonly clicks: readonly (readonly [string, number])[];
}): string {
  const kb = (bytes: number) => `${Math.round(bytes / 1024)} KB`;
  const ms = (values: readonly number[]) =>
    [median(values), Math.max(...values)].map((value) => `${Math.round(value)} ms`);
  const sizeRows = sizes.flatMap(({ name, scripts, styles }) => [
    [`script at the first view of the ${name}, gzip`, kb(firstViewBytesMax), kb(scripts)],
    ['style sheets of it, gzip', '', kb(styles)],
  ]);
  const timeRows = [
    ...times.flatMap(({ name, threads, paintMs, listMs }) => [
      [`first content of the ${name}, ${threads} threads`, `${viewMsMax} ms`, ...ms(paintMs)],
      [`its list, ${threads} threads`, '', ...ms(listMs)],
    ]),
    ['new mail in the open inbox, after its SMTP reply', `${mailMsMax} ms`, ...ms(arrivals)],
  ];
  const rows = (cells: readonly (readonly (string | number)[])[]) =>
    cells.map((row) => `| ${row.join(' | ')} |`).join('\n');
  return `# The console and the local inbox

Written by \`npm run measure:console\`: a local run on ${availableParallelism()} cores, with Chromium without a screen beside it.

| Size | At most | Measured |
|---|---:|---:|
${rows(sizeRows)}

Times are from the navigation of a browser that has the cookie of a session and no file in its cache, ${repeats} times. First content
is the paint that the browser reports. A list or a mail is shown at the change of the document that adds it, which an
observer in the page times; a mail that is shown before its SMTP reply counts as 0 ms.

| Time | At most | Median | Longest |
|---|---:|---:|---:|
${rows(timeRows)}

What a stranger tries first, with the clicks from the start page (\`test/support/console-tasks.ts\`).

| Task | At most | Clicks |
|---|---:|---:|
${rows(clicks.map(([name, count]) => [name, taskClicksMax, count]))}
`;
}
