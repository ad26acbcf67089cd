/**
 * Opens every place of the local inbox and the console that shows mail, at both widths. A fault: something of the mail ran, a
 * request left the origin, the page went elsewhere, a window or a dialog opened, our own page wrote an error, something is wider
 * than the window, or the heading or the way back is not there any more. What ends the page or the walk is one, too.
 */
import type {
  Browser,
  ConsoleMessage,
  Context,
  Page,
  Viewport,
} from '../../test/support/browser/playwright.ts';
import { watch } from '../../test/support/browser/watch.ts';
import { canary } from './active-content.ts';
import type { HostileRun } from './browser-run.ts';

export interface Walk {
  /** `place: what` */
  readonly faults: readonly string[];
  /** Views by place. */
  readonly views: ReadonlyMap<string, number>;
  /** Most elements of a page of ours, frames aside. */
  readonly elementsMost: number;
  /** Longest task of a page of ours in ms; a figure, no bound. */
  readonly longestTaskMs: number;
}

const widths: readonly Viewport[] = [
  { width: 375, height: 740 },
  { width: 1280, height: 800 },
];

/** Of a page: its scripts must stay quick whatever mail it shows, on any machine. */
const elementsMax = 30_000;

const longTasks = `window.__longest = 0;
  new PerformanceObserver((list) => {
    for (const { duration } of list.getEntries()) window.__longest = Math.max(window.__longest, duration);
  }).observe({ type: 'longtask', buffered: true });`;

interface Walker {
  readonly page: Page;
  /** Opens a path and waits for an element. */
  open(place: string, path: string, selector: string): Promise<void>;
  /** Checks what is open now. */
  check(): Promise<void>;
  fault(what: string): void;
}

/** What the frame of a mail refuses is in the console, too, and wanted; only such frames are sandboxed. */
const isOfFrame = (message: ConsoleMessage): boolean => {
  const frame =
    /\/console\/mail\/|\/_control\/people\/[^/]+\/messages\/\d+\/html|^Blocked script execution in 'about:blank' because the document's frame is sandboxed/;
  return (
    !message.text().includes(canary) && (frame.test(message.location().url) || frame.test(message.text()))
  );
};

export async function walk(browser: Browser, { run, ...places }: HostileRun): Promise<Walk> {
  const context = await browser.newContext({ locale: 'en-US', viewport: widths[1] as Viewport });
  context.setDefaultTimeout(120_000);
  await context.addInitScript({ content: longTasks });
  const complaints = watch(context, [run.origin], isOfFrame);
  const page = await context.newPage();
  const found = newFindings(context, page, run.origin, complaints);
  try {
    await found.walker.open('inbox list', '/', '.person');
    await found.walker.check();
    await walkInbox(found.walker, places);
    await walkConversations(found.walker, places);
    await walkDrafts(found.walker, places);
    await walkLists(found.walker, places);
  } catch (error) {
    // Without its place, the message that ends the page is not found among the others of its run.
    found.walker.fault(`the walk ended: ${String(error).split('\n', 1)}`);
  } finally {
    await context.close();
  }
  return found.walk;
}

function newFindings(context: Context, page: Page, origin: string, complaints: Set<string>) {
  const faults = new Set<string>();
  const views = new Map<string, number>();
  const walk = { faults: [] as string[], views, elementsMost: 0, longestTaskMs: 0 };
  let [where, current] = ['', ''];
  const fault = (what: string) => {
    const text = `${where} ${current}: ${what}`;
    if (!faults.has(text)) walk.faults.push(text);
    faults.add(text);
  };
  const walker: Walker = {
    page,
    fault,
    async open(place, path, selector) {
      [where, current] = [place, path];
      views.set(place, (views.get(place) ?? 0) + 1);
      await page.goto(`${origin}${path}`);
      await page.locator(selector).first().waitFor();
    },
    async check() {
      for (const width of widths) {
        await page.setViewportSize(width);
        const state = await page.evaluate<PageState>(pageState);
        walk.elementsMost = Math.max(walk.elementsMost, state.elements);
        walk.longestTaskMs = Math.max(walk.longestTaskMs, state.longest);
        for (const one of faultsOf(state)) fault(`${width.width} px: ${one}`);
      }
      const expected = new URL(current, origin);
      if (new URL(page.url()).pathname !== expected.pathname) fault(`went to ${page.url()}`);
      for (const other of context.pages().slice(1)) {
        fault(`opened a window: ${other.url()}`);
        await other.close();
      }
      for (const one of complaints) fault(one);
      complaints.clear();
    },
  };
  return { walker, walk };
}

interface PageState {
  readonly elements: number;
  readonly longest: number;
  readonly hasRun: boolean;
  readonly hasHeading: boolean;
  /** A heading leaves less than half of the window to what is below it. */
  readonly isFilled: boolean;
  /** The first element that sticks out, where the page can be scrolled sideways; null: none. */
  readonly tooWide: string | null;
}

const pageState = `(() => {
  const { scrollWidth, clientWidth } = document.documentElement;
  const headings = [...document.querySelectorAll('h1, h2')];
  const wide = scrollWidth > clientWidth && [...document.body.querySelectorAll('*')].find(
    (one) => one.getBoundingClientRect().right > clientWidth + 1) || null;
  return {
    elements: document.querySelectorAll('*').length,
    longest: Math.round(window.__longest ?? 0),
    hasRun: '${canary}' in window,
    hasHeading: headings.some((one) => one.checkVisibility()),
    isFilled: headings.some((one) => one.offsetHeight > innerHeight / 2),
    tooWide: wide && wide.localName + '.' + wide.className + ' ' + wide.textContent.slice(0, 60),
  };
})()`;

function faultsOf({ elements, hasRun, hasHeading, isFilled, tooWide }: PageState): string[] {
  return [
    ...(elements > elementsMax ? [`${elements} elements`] : []),
    ...(hasRun ? ['a script of the mail ran'] : []),
    ...(hasHeading ? [] : ['no heading is shown']),
    ...(isFilled ? ['a heading fills the window'] : []),
    ...(tooWide === null ? [] : [`too wide: ${tooWide}`]),
  ];
}

const openAll = (selector: string, most = 20) =>
  `[...document.querySelectorAll('${selector}')].slice(0, ${most}).map((one) => one.click()).length`;
const unfold = `[...document.querySelectorAll('details:not([open])')].slice(0, 50).map((one) => { one.open = true; }).length`;

/** Resolves when the frames of the page have loaded. */
const framesLoaded = `Promise.all([...document.querySelectorAll('iframe')].map((frame) => new Promise((done) => {
  const page = frame.contentDocument;
  if (page && page.readyState === 'complete' && page.URL !== 'about:blank') done(0);
  else frame.addEventListener('load', () => done(0), { once: true });
})))`;

/** Both sides of each message: as html, text, source, headers; what the service has. */
async function walkInbox(walker: Walker, { inboxPaths }: Pick<HostileRun, 'inboxPaths'>): Promise<void> {
  const { page } = walker;
  for (const path of inboxPaths) {
    await walker.open('inbox message', path, '.message-facts');
    for (const tab of await page.locator('.message').getByRole('tab').all()) {
      await tab.click();
      await page.evaluate(framesLoaded);
      await page.evaluate(unfold);
      await walker.check();
    }
  }
}

async function walkConversations(
  walker: Walker,
  { threadPaths }: Pick<HostileRun, 'threadPaths'>,
): Promise<void> {
  const { page } = walker;
  for (const path of threadPaths) {
    await walker.open('conversation', path, '.message-body');
    await walker.check();
    await page.evaluate(unfold);
    await page.evaluate(openAll('.message-head[aria-expanded=false]', 10));
    await page.evaluate(openAll('.view-switch [aria-pressed=false]', 5));
    await page.evaluate(framesLoaded);
    await page.evaluate(openAll('.message-details > button[aria-expanded=false]', 5));
    await page.evaluate(openAll('.file button[aria-expanded=false]', 5));
    await walker.check();
    for (const name of ['Facts', 'Headers', 'Source']) {
      await page.getByRole('tab', { name }).first().click();
      await walker.check();
    }
    await page.evaluate(openAll('.message-head[aria-expanded=true]', 20));
    await walker.check();
    // The way back still works; it is shown on narrow screens only.
    await page.setViewportSize(widths[0] as Viewport);
    await page.locator('.back-to-list').click();
    await page.getByRole('heading', { name: 'Conversations' }).waitFor();
  }
}

/** What would be sent, and the difference to what was written. */
async function walkDrafts(walker: Walker, { draftPaths }: Pick<HostileRun, 'draftPaths'>): Promise<void> {
  const { page } = walker;
  for (const path of draftPaths) {
    await walker.open('draft', path, '.draft-text');
    await walker.check();
    const source = page.getByRole('button', { name: 'Show the source' });
    if ((await source.count()) > 0) await source.click();
    await walker.check();
  }
}

/** Words that are searched for, of so many messages. */
const searchesMax = 10;

async function walkLists(
  walker: Walker,
  { words, endpointPath }: Pick<HostileRun, 'words' | 'endpointPath'>,
): Promise<void> {
  const { page } = walker;
  const list = async (place: string, path: string, selector: string, opened: string | null = null) => {
    await walker.open(place, path, selector);
    await walker.check();
    if (opened === null) return;
    await page.evaluate(openAll(opened));
    await walker.check();
  };
  await list('list', '/console/conversations', '.thread-row');
  for (const view of ['unread', 'bounced', 'failed', 'scheduled'])
    await list('list', `/console/conversations?view=${view}`, '.thread-row, .empty');
  for (const word of words.slice(0, searchesMax))
    await list(
      'search',
      `/console/conversations?query=${encodeURIComponent(word.slice(0, 100))}`,
      '.thread-row, .empty, .problem',
    );
  await list('drafts', '/console/drafts', '.thread-row, .empty');
  await list('events', '/console/events', '.event-row', '.event-row');
  await list('suppressions', '/console/suppressions', '.table, .empty');
  await list('webhook deliveries', endpointPath, '.delivery-toggle', '.delivery-toggle');
  await list('blocked mail', '/console/inbound-rules/blocked', '.row, .empty');
  await list('receiver of the inbox', '/webhooks', 'details', 'details > summary');
  await list('panel', '/panel', 'h2');
}
