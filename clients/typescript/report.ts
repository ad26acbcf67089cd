/** `api.md`: the public declarations without their comments. A change of the surface is a change of this file. */
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** @param declarations the folder of the built declarations */
export function apiReport(declarations: string): string {
  const files = globSync('**/*.d.ts', { cwd: declarations }).sort();
  const sections = files.map((file) => {
    const text = readFileSync(join(declarations, file), 'utf8')
      .replaceAll(/^ *\/\*\*[\s\S]*?\*\/\n/gm, '')
      .replaceAll(/^import .*\n/gm, '');
    return `## ${file.replace(/\.d\.ts$/, '')}\n\n\`\`\`ts\n${text.trim()}\n\`\`\`\n`;
  });
  const head = '# Public surface of parley-client\n\nWritten by `npm run clients`.\n';
  return [head, ...sections].join('\n');
}
