/** Chromium without a screen, one for all files of a worker; `npm run browser` installs it. */
import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import type { Browser } from './playwright.ts';

const folder = join(import.meta.dirname, '../../browser');
const modules = createRequire(join(folder, 'package.json'));

/** The source of axe-core. */
export const axeSource = (): string => readFileSync(modules.resolve('axe-core/axe.min.js'), 'utf8');

/** On the global object, because Vitest may load this module once for each file. The browser ends with its worker. */
const holder = globalThis as { [key: symbol]: Promise<Browser> | undefined };
const key = Symbol.for('parley.test.browser');

/** The browser of this worker. @throws Error where there is none */
export function chromium(): Promise<Browser> {
  holder[key] ??= launchChromium();
  return holder[key];
}

/** A browser of one's own. @throws Error where there is none */
export async function launchChromium(): Promise<Browser> {
  const record = join(folder, 'node_modules/.chromium.json');
  if (!existsSync(record)) throw new Error('There is no browser for the tests: run "npm run browser".');
  const { env, executable } = JSON.parse(readFileSync(record, 'utf8'));
  const { chromium: launcher } = modules('playwright-core');
  return await launcher.launch({
    executablePath: executable,
    env: { ...process.env, ...env },
    headless: true,
    args: [
      '--font-render-hinting=none',
      '--disable-gpu',
      // Nothing leaves the machine, whatever a page asks for.
      '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1, EXCLUDE localhost, EXCLUDE *.localhost',
    ],
  });
}
