/**
 * Writes the pictures of the documents, `docs/images/*.webp`: starts `npm start` in a copy of this tree, makes conversations
 * through the API, and photographs the pages of scripts/pictures/shots.ts in both color schemes. `--only NAME` takes one.
 */
import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { launchChromium } from '../test/support/browser/chromium.ts';
import type { Browser, ColorScheme, Page } from '../test/support/browser/playwright.ts';
import { copyTree, freePorts } from './first-hour/local-run.ts';
import { startParley } from './first-hour/newcomer.ts';
import { type Addresses, type DemoData, makeDemoData } from './pictures/demo-data.ts';
import { type Shot, shots } from './pictures/shots.ts';

const folder = join(import.meta.dirname, '../docs/images');
/** Readers load all of them with the README. */
const bytesMax = 150_000;

const { values } = parseArgs({ options: { only: { type: 'string' } } });
const chosen = shots.filter(({ name }) => values.only === undefined || values.only === name);
if (chosen.length === 0) throw new Error(`--only: one of ${shots.map(({ name }) => name).join(', ')}`);

const browser = await launchChromium();
const tree = copyTree();
const parley = await startParley(tree.path, freePorts);
try {
  const ready = readFileSync(join(tree.path, '.local/ready.json'), 'utf8');
  const data = await makeDemoData(JSON.parse(ready) as Addresses);
  for (const shot of chosen) {
    for (const scheme of ['light', 'dark'] as const) await take(browser, shot, scheme, data);
  }
} finally {
  await browser.close();
  await parley.stop();
  tree.remove();
}

async function take(browser: Browser, shot: Shot, scheme: ColorScheme, data: DemoData): Promise<void> {
  const context = await browser.newContext({
    viewport: shot.viewport,
    colorScheme: scheme,
    deviceScaleFactor: 1.5,
    locale: 'en',
    reducedMotion: 'reduce',
  });
  const page = await context.newPage();
  await page.goto(shot.url(data));
  await shot.prepare?.(page, data);
  await page.waitForLoadState(shot.isLive ? 'load' : 'networkidle');
  const png = await page.screenshot({ animations: 'disabled' });
  const file = join(folder, `${shot.name}-${scheme}.webp`);
  writeFileSync(file, await webpOf(await context.newPage(), png));
  await context.close();
  const { size } = statSync(file);
  if (size > bytesMax) throw new Error(`${file} has ${size} bytes, more than ${bytesMax}: show less`);
  console.log(`docs/images/${shot.name}-${scheme}.webp: ${Math.ceil(size / 1000)} KB`);
}

/** The browser itself encodes WebP, which has half the size of PNG. */
async function webpOf(page: Page, png: Buffer): Promise<Buffer> {
  const url = await page.evaluate<string>(`(async () => {
    const image = new Image();
    image.src = 'data:image/png;base64,${png.toString('base64')}';
    await image.decode();
    const canvas = document.createElement('canvas');
    canvas.width = image.naturalWidth;
    canvas.height = image.naturalHeight;
    canvas.getContext('2d').drawImage(image, 0, 0);
    return canvas.toDataURL('image/webp', 0.9);
  })()`);
  return Buffer.from(url.slice(url.indexOf(',') + 1), 'base64');
}
