/** The pictures of the documents: `docs/images/<name>-light.webp` and `<name>-dark.webp`. */
import type { Page } from '../../test/support/browser/playwright.ts';
import type { DemoData } from './demo-data.ts';

export interface Shot {
  /** Of the files. */
  readonly name: string;
  /** The URL of the page. */
  readonly url: (data: DemoData) => string;
  readonly viewport: { readonly width: number; readonly height: number };
  /** The page always waits for news: `prepare` waits for what it shows. */
  readonly isLive?: true;
  /** What to do before the picture is taken, such as to open a conversation. */
  readonly prepare?: (page: Page, data: DemoData) => Promise<void>;
}

const wide = { width: 1280, height: 800 };

/** The inbox signs the browser in. */
const atConsole = (path: (data: DemoData) => string): Pick<Shot, 'url' | 'prepare'> => ({
  url: ({ origin }) => `${origin}/`,
  prepare: async (page, data) => {
    await page.goto(`${data.origin}/console${path(data)}`);
    await page.getByRole('button').first().waitFor();
  },
});

export const shots: readonly Shot[] = [
  {
    name: 'inbox',
    isLive: true,
    url: ({ origin }) => `${origin}/`,
    viewport: wide,
    prepare: async (page) => {
      await page.getByRole('link', { name: /Tomás/ }).first().click();
      await page.getByRole('button', { name: 'Reply' }).first().waitFor();
      await page.getByText('delivered').first().waitFor();
    },
  },
  {
    name: 'console',
    viewport: wide,
    ...atConsole(({ suspiciousThreadId }) => `/conversations/${suspiciousThreadId}`),
  },
  {
    name: 'draft',
    viewport: { width: 1280, height: 640 },
    ...atConsole(({ draftId }) => `/drafts/${draftId}`),
  },
  {
    name: 'connect',
    url: ({ addresses }) => addresses.connectUrls[0] ?? '',
    viewport: { width: 720, height: 620 },
  },
  {
    name: 'unsubscribe',
    url: ({ unsubscribeUrl }) => unsubscribeUrl,
    viewport: { width: 720, height: 760 },
  },
];
