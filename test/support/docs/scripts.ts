/** The scripts of package.json. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './pages.ts';

/** The command of each script by its name. */
export const npmScripts: Readonly<Record<string, string>> = JSON.parse(
  readFileSync(join(root, 'package.json'), 'utf8'),
).scripts;

/** The text of the files that a script runs. */
export function sourcesOf(name: string): string {
  return [...(npmScripts[name] ?? '').matchAll(/\b(?:bin|scripts)\/[\w./-]+\.ts\b/g)]
    .map(([file]) => readFileSync(join(root, file), 'utf8'))
    .join('\n');
}

export function isMain(file: string): boolean {
  return process.argv[1] === file;
}
