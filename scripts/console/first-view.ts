/** What the browser loads before the first page of the console or the local inbox is seen. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type ConsoleFolders, reachedFiles, readViteManifest } from '../../lib/constructs/console.ts';
import { manifestName, type SiteManifest } from '../../lib/http/pages/site-manifest.ts';

/** Bound of the script at the first view, compressed. */
export const firstViewBytesMax = 180 * 1024;

export const firstViews = {
  console: ['index.html', 'src/pages/conversations/section.tsx'],
  'local inbox': ['local.html'],
} as const;
export type FirstView = keyof typeof firstViews;

/** Bytes of scripts and style sheets of a first view, compressed with gzip. */
export function firstViewBytes(
  folders: ConsoleFolders,
  name: FirstView,
): { scripts: number; styles: number } {
  const built = readViteManifest(join(folders.asset, '../vite'));
  const files = new Set(firstViews[name].flatMap((entry) => [...reachedFiles(built, entry, 'first')]));
  const folder = name === 'console' ? join(folders.asset, 'console') : folders.inbox;
  const paths: SiteManifest = JSON.parse(readFileSync(join(folder, manifestName), 'utf8'));
  const bytesOf = (end: string) =>
    [...files]
      .filter((file) => file.endsWith(end))
      .map((file) => readFileSync(join(folder, `${paths[`/console/${file}`]?.hash}.gz`)).length)
      .reduce((sum, bytes) => sum + bytes, 0);
  return { scripts: bytesOf('.js'), styles: bytesOf('.css') };
}
