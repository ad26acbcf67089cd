/** The site in a browser: violations that axe finds, widths, colors, and what the keyboard reaches. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { siteFiles } from '../../lib/constructs/site.ts';
import { phone, type Visit, type VisitOptions, visit } from '../support/browser/visit.ts';
import { type SiteServer, startSite } from './site-server.ts';

let site: SiteServer;

beforeAll(async () => {
  site = await startSite();
});
afterAll(async () => {
  await site?.close();
});

const onSite = (run: (visit: Visit) => Promise<void>, options: Partial<VisitOptions> = {}) =>
  visit({ origin: site.origin, ...options }, run);

const pages = [...siteFiles('Parley')]
  .filter(([, { type }]) => type.startsWith('text/html'))
  .map(([url]) => url);
/** A page of each kind, and those with the most on them. */
const kinds = [
  '/',
  '/docs',
  '/docs/concepts/errors',
  '/docs/concepts/webhooks',
  '/docs/architecture',
  '/docs/v2',
  '/docs/v2/emails',
  '/docs/v2/webhook-events',
  '/docs/v1/emails',
  '/problems',
  '/problems/not_found',
  '/nothing',
];

describe('axe', () => {
  it.each(pages)('finds nothing on %s', (path) =>
    onSite(async ({ open, violations }) => {
      await open(path);
      expect(await violations()).toEqual([]);
    }),
  );

  it.each(kinds)('finds nothing on %s in the dark at 375 px, which is as wide as the page', (path) =>
    onSite(
      async ({ isTooWide, open, violations }) => {
        await open(path);
        expect(await violations()).toEqual([]);
        expect(await isTooWide()).toBe(false);
      },
      { viewport: phone, colorScheme: 'dark' },
    ),
  );

  it('finds nothing in the open search and the open menu', () =>
    onSite(
      async ({ open, page, violations }) => {
        await open('/docs');
        await page.click('button.menu');
        expect(await violations()).toEqual([]);
        await page.keyboard.press('Escape');
        await page.click('button.search');
        await page.keyboard.type('thread');
        await page.waitForFunction("document.querySelectorAll('[role=option]').length > 3");
        expect(await violations()).toEqual([]);
      },
      { viewport: phone },
    ));
});

describe('the script', () => {
  it('breaks no policy, and shows the host of the deployment', () =>
    onSite(async ({ open, page }) => {
      for (const path of kinds.filter((path) => path !== '/nothing')) {
        await open(path);
        expect(await page.evaluate('document.querySelector("button.search").hidden'), path).toBe(false);
      }
      await open('/docs/v2');
      expect(await page.evaluate('document.querySelector("[data-origin]").textContent')).toBe(
        `${site.origin}/api/v2`,
      );
    }));

  it('is not needed to read: samples are below each other, the navigation is there', () =>
    onSite(
      async ({ open, page }) => {
        await open('/docs/v2/emails');
        const { samples, isMenuShown, isSearchShown } = await page.evaluate<{
          samples: number;
          isMenuShown: boolean;
          isSearchShown: boolean;
        }>(
          "({ samples: [...document.querySelector('.samples').querySelectorAll('pre')].filter((e) => e.offsetHeight > 0).length, isMenuShown: document.querySelector('#navigation').offsetHeight > 0, isSearchShown: document.querySelector('button.search').offsetHeight > 0 })",
        );
        expect({ samples, isMenuShown, isSearchShown }).toEqual({
          samples: 3,
          isMenuShown: true,
          isSearchShown: false,
        });
      },
      { javaScriptEnabled: false, viewport: phone },
    ));
});

describe('the keyboard', () => {
  it('skips to the content, and sees where it is', () =>
    onSite(async ({ focused, open, page }) => {
      await open('/docs/concepts/threads');
      await page.keyboard.press('Tab');
      expect(await focused()).toBe('a skip Skip to content');
      expect(
        await page.evaluate('document.activeElement.getBoundingClientRect().top'),
      ).toBeGreaterThanOrEqual(0);
      expect(await page.evaluate('getComputedStyle(document.activeElement).outlineStyle')).toBe('solid');
      await page.keyboard.press('Enter');
      expect(await page.evaluate('document.activeElement.id')).toBe('main-content');
    }));

  it('finds pages: slash opens, arrows choose, Enter goes, Escape closes', () =>
    onSite(async ({ open, page }) => {
      await open('/docs');
      await page.keyboard.press('/');
      await page.keyboard.type('default recipients');
      await page.waitForFunction("document.querySelector('[role=option][aria-selected=true]') !== null");
      expect(await page.evaluate("document.querySelector('[aria-selected=true] strong').textContent")).toBe(
        'Default recipients',
      );
      await page.keyboard.press('ArrowDown');
      await page.keyboard.press('ArrowUp');
      expect(await page.evaluate("document.activeElement.getAttribute('aria-activedescendant')")).toBe(
        'search-hit-0',
      );
      await page.keyboard.press('Enter');
      await page.waitForFunction("location.pathname === '/docs/concepts/threads'");
      expect(page.url()).toBe(`${site.origin}/docs/concepts/threads#default-recipients`);
      // The script of the new page has run.
      await page.waitForFunction("document.querySelector('dialog') !== null");
      await page.keyboard.press('Control+k');
      expect(await page.evaluate("document.querySelector('dialog').open")).toBe(true);
      await page.keyboard.type('words');
      await page.keyboard.press('Escape');
      expect(await page.evaluate("document.querySelector('dialog').open")).toBe(false);
    }));

  it.each([
    ['thread_not_found', '/problems/thread_not_found'],
    ['sendEmail', '/docs/v2/emails#sendEmail'],
    ['rotating a secret', '/docs/verifying-webhooks#rotating-a-secret'],
    ['idempotancy', '/docs/concepts/idempotency'],
    ['webhook signature', '/docs/concepts/webhooks#signature'],
  ])('finds %s first', (query, path) =>
    onSite(async ({ open, page }) => {
      await open('/docs');
      await page.keyboard.press('/');
      await page.keyboard.type(query);
      await page.waitForFunction("document.querySelectorAll('[role=option]').length > 0");
      expect(await page.evaluate("document.querySelector('[role=option]').getAttribute('href')")).toContain(
        path,
      );
    }),
  );

  it('says that nothing is found, whatever is typed', () =>
    onSite(async ({ open, page }) => {
      await open('/docs');
      await page.keyboard.press('/');
      await page.keyboard.type('<qqqqzzzz zzqxzzqx=zqzqzqzq>');
      await page.waitForFunction("document.querySelector('[role=status]').textContent.startsWith('Nothing')");
      expect(await page.evaluate("document.querySelectorAll('dialog qqqqzzzz').length")).toBe(0);
    }));

  it('changes the language of all samples by arrows, for the next page, too', () =>
    onSite(async ({ focused, open, page }) => {
      await open('/docs/v2/emails');
      await page.evaluate("document.querySelector('[role=tab]').focus()");
      await page.keyboard.press('ArrowRight');
      const selected =
        "[...document.querySelectorAll('[role=tab][aria-selected=true]')].map((e) => e.textContent)";
      expect(new Set(await page.evaluate<string[]>(selected))).toEqual(new Set(['TypeScript']));
      expect(await focused()).toBe('button TypeScript');
      await open('/docs/v2/threads');
      expect(new Set(await page.evaluate<string[]>(selected))).toEqual(new Set(['TypeScript']));
    }));

  it('opens the menu on narrow screens, and Escape closes it', () =>
    onSite(
      async ({ focused, open, page }) => {
        await open('/docs/v2');
        const isShown = "document.querySelector('#navigation').offsetHeight > 0";
        expect(await page.evaluate(isShown)).toBe(false);
        await page.evaluate("document.querySelector('button.menu').focus()");
        await page.keyboard.press('Enter');
        expect(await page.evaluate(isShown)).toBe(true);
        await page.keyboard.press('Escape');
        expect(await page.evaluate(isShown)).toBe(false);
        expect(await focused()).toContain('button menu');
      },
      { viewport: phone },
    ));
});
