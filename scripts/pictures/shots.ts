/** The pictures of the documents: `docs/images/<name>-light.webp` and `<name>-dark.webp`. */
import type { Page } from '../../test/support/browser/playwright.ts';
import type { DemoData } from './demo-data.ts';

export interface Shot {
  /** Of the files. */
  readonly name: string;
  /** The URL of the page. */
  readonly url: (data: DemoData) => string;
  readonly viewport: { readonly width: number; readonly height: number };
  /** What to do before the picture is taken, such as to open a conversation. */
  readonly prepare?: (page: Page, data: DemoData) => Promise<void>;
}

const wide = { width: 1280, height: 800 };

export const shots: readonly Shot[] = [
  { name: 'docs', url: ({ origin }) => `${origin}/docs/quickstart`, viewport: wide },
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
