/**
 * A test in the browser: a context of its own, and a record of what must not happen. Asserted when it ends: no request to a
 * foreign host, no error in the console (which names what a content security policy refused), no uncaught exception.
 */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { axeSource, chromium } from './chromium.ts';
import { countClicks } from './count-clicks.ts';
import type { ColorScheme, Context, ContextOptions, Cookie, Page, Viewport } from './playwright.ts';
import { watch } from './watch.ts';

const picturesFolder = join(import.meta.dirname, '../../../.local/pictures');

/** The two widths at which all pages are tested. */
export const phone: Viewport = { width: 375, height: 740 };
export const desk: Viewport = { width: 1280, height: 800 };
/** Widths and color schemes, for `it.each`: `$scheme at $viewport.width px`. */
export const looks: readonly { readonly viewport: Viewport; readonly scheme: ColorScheme }[] = [
  { viewport: desk, scheme: 'light' },
  { viewport: desk, scheme: 'dark' },
  { viewport: phone, scheme: 'light' },
  { viewport: phone, scheme: 'dark' },
];

export interface VisitOptions extends ContextOptions {
  /** Where relative paths lead, and the host that is not foreign. */
  readonly origin: string;
  /** Further origins to which requests may go. */
  readonly origins?: readonly string[];
  /** Without `url` and `domain`: of the origin. */
  readonly cookies?: readonly Cookie[];
  /** Messages that the test provokes. */
  readonly expected?: readonly RegExp[];
}

export interface Visit {
  readonly page: Page;
  readonly context: Context;
  /** Opens a path of the origin, or a URL. */
  open(path: string): Promise<void>;
  /** Sets width and color scheme. */
  look(viewport: Viewport, scheme: ColorScheme): Promise<void>;
  /** How often a mouse or a finger was pressed since the start of the visit. */
  clicks(): number;
  /** `rule: element` for each violation that axe finds in the page; frames are not searched. */
  violations(): Promise<string[]>;
  /** Whether something is wider than the window. */
  isTooWide(): Promise<boolean>;
  /** The element that has the focus: name, class, text. */
  focused(): Promise<string>;
  /** Takes a picture, `.local/pictures/<name>.png`. @returns the file */
  picture(name: string, options?: { readonly fullPage?: boolean }): Promise<string>;
  /** What must not have happened, and has. */
  complaints(): readonly string[];
}

/** Runs a test in the browser, closes its pages, and asserts that nothing happened that must not. */
export async function visit<T>(options: VisitOptions, run: (visit: Visit) => Promise<T>): Promise<T> {
  const { origin, origins = [], cookies = [], expected = [], ...rest } = options;
  const browser = await chromium();
  const context = await browser.newContext({
    viewport: desk,
    colorScheme: 'light',
    locale: 'en-US',
    ...rest,
  });
  // As of tests: what is slow on a busy machine is not wrong.
  context.setDefaultTimeout(120_000);
  try {
    const complaints = watch(context, [origin, ...origins]);
    const own = ({ url, domain, ...cookie }: Cookie): Cookie =>
      url || domain ? ({ url, domain, ...cookie } as Cookie) : { ...cookie, url: origin };
    if (cookies.length > 0) await context.addCookies(cookies.map(own));
    const clicks = await countClicks(context);
    const page = await context.newPage();
    const current = visitOf(context, page, { origin, clicks, complaints });
    const result = await run(current).catch(async (error: unknown) => {
      await current.picture(`failed ${expect.getState().currentTestName ?? ''}`).catch(() => {});
      if (complaints.size > 0) console.error([...complaints].join('\n'));
      throw error;
    });
    expect([...complaints].filter((one) => !expected.some((pattern) => pattern.test(one)))).toEqual([]);
    return result;
  } finally {
    await context.close();
  }
}

function visitOf(
  context: Context,
  page: Page,
  { origin, clicks, complaints }: { origin: string; clicks: () => number; complaints: ReadonlySet<string> },
): Visit {
  return {
    page,
    context,
    clicks,
    complaints: () => [...complaints],
    open: async (path) => void (await page.goto(new URL(path, origin).href)),
    async look(viewport, colorScheme) {
      await page.setViewportSize(viewport);
      await page.emulateMedia({ colorScheme });
    },
    async violations() {
      await page.evaluate(`window.axe === undefined && (() => {${axeSource()}})()`);
      const results = await page.evaluate<AxeResults>('axe.run(document, { iframes: false })');
      return results.violations.flatMap(({ id, nodes }) =>
        nodes.slice(0, 3).map(({ html }) => `${id}: ${html.slice(0, 200)}`),
      );
    },
    isTooWide: () =>
      page.evaluate<boolean>('document.documentElement.scrollWidth > document.documentElement.clientWidth'),
    focused: () =>
      page.evaluate(
        "(({ activeElement: e }) => [e.tagName.toLowerCase(), e.className, e.textContent.trim().slice(0, 40)].filter(Boolean).join(' '))(document)",
      ),
    async picture(name, { fullPage = true } = {}) {
      mkdirSync(picturesFolder, { recursive: true });
      const file = join(picturesFolder, `${name.replace(/[^\w.-]+/g, '-').slice(0, 120)}.png`);
      await page.screenshot({ path: file, fullPage, animations: 'disabled' });
      return file;
    },
  };
}

interface AxeResults {
  readonly violations: readonly {
    readonly id: string;
    readonly nodes: readonly { readonly html: string }[];
  }[];
}
