/** Which source file a line of a bundle comes from: esbuild writes the path of each file above its code. */
import { readFileSync } from 'node:fs';
import type { SourceOf } from './parts.ts';

const heading = /^\s*\/\/ ((?:\.\.\/|node_modules\/|lib\/|functions\/)\S+)$/;

/** Reads each bundle once. */
export function bundleSources(): SourceOf {
  const bundles = new Map<string, readonly string[]>();
  return ({ url, lineNumber }) => {
    if (!url.startsWith('file:')) return url;
    const sources = bundles.get(url) ?? sourcesOfLines(readFileSync(new URL(url), 'utf8'));
    bundles.set(url, sources);
    return sources[lineNumber] ?? '';
  };
}

/** The source of each line, below `node_modules` without the path to it; of the bundle itself ``. */
export function sourcesOfLines(bundle: string): readonly string[] {
  let source = '';
  return bundle.split('\n').map((line) => {
    const path = heading.exec(line)?.[1];
    if (path !== undefined) source = path.replace(/^.*node_modules\//, '');
    return source;
  });
}
