/** The generated modules of the clients are those of the contracts; `npm run clients` writes them. */
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { operations } from '../../functions/operations.ts';
import { generatedFiles } from '../../scripts/clients/generated-files.ts';
import { camel } from '../../scripts/clients/read-document.ts';
import { offlineClient } from './support/offline-client.ts';

const root = join(import.meta.dirname, '../..');
const files = generatedFiles();

describe('the generated modules', () => {
  it('are those that `npm run clients` writes', () => {
    for (const [path, text] of files) expect(readFileSync(join(root, path), 'utf8'), path).toBe(text);
  });

  it('are all that are there', () => {
    const resources = globSync('clients/typescript/src/resources/*.ts', { cwd: root });
    expect(resources.filter((path) => !files.has(path))).toEqual([]);
  });

  it('have a method for every operation of version 2', () => {
    const client = offlineClient().parley as unknown as Record<string, Record<string, unknown>>;
    const missing = operations
      .filter(({ path }) => path.startsWith('/api/v2/'))
      .map(({ id }) => id.split('.') as [string, string])
      .filter(([group, verb]) => typeof client[camel(group)]?.[camel(verb)] !== 'function');
    expect(missing).toEqual([]);
  });
});
