/** Chromium from the test tools (`npm run tools`), without a screen. */
import { createRequire } from 'node:module';
import { join } from 'node:path';

/** What the tests use of playwright-core. */
export interface BrowserPage {
  goto(url: string): Promise<unknown>;
  setViewportSize(size: { width: number; height: number }): Promise<void>;
  emulateMedia(media: { colorScheme: 'light' | 'dark' }): Promise<void>;
  addScriptTag(script: { path: string }): Promise<unknown>;
  evaluate<T>(script: string): Promise<T>;
  readonly keyboard: { press(key: string): Promise<void>; type(text: string): Promise<void> };
  click(selector: string): Promise<void>;
  waitForFunction(script: string): Promise<unknown>;
  url(): string;
  on(event: 'console', listener: (message: { type(): string; text(): string }) => void): void;
  on(event: 'pageerror', listener: (error: Error) => void): void;
  close(): Promise<void>;
}
export interface Browser {
  newPage(options?: { javaScriptEnabled?: boolean; bypassCSP?: boolean }): Promise<BrowserPage>;
  close(): Promise<void>;
}

const tools = createRequire(join(import.meta.dirname, '../tools/package.json'));

/** File of axe-core, for `addScriptTag`. */
export const axeFile = (): string => tools.resolve('axe-core/axe.min.js');

export async function launchChromium(): Promise<Browser> {
  const { default: build } = await import(tools.resolve('@sparticuz/chromium'));
  const { chromium } = tools('playwright-core');
  return await chromium.launch({
    // One process ends with its first page.
    args: build.args.filter((argument: string) => !/single-process|no-zygote/.test(argument)),
    executablePath: await build.executablePath(),
    headless: true,
  });
}
