/** `npm run clients`: writes the generated modules of the clients; `test/clients/generated.test.ts` fails when they drift. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { generatedFiles } from './clients/generated-files.ts';

const root = join(import.meta.dirname, '..');
for (const [path, text] of generatedFiles()) {
  const file = join(root, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
}
