/** The table of scopes is that of the contracts (docs/concepts/authentication.md#scopes). */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { operations } from '../../functions/operations.ts';
import { scopeAllows, scopes } from '../../lib/core/access/access.ts';
import { versionOf } from '../../lib/http/versions.ts';

const page = readFileSync(join(import.meta.dirname, '../../docs/concepts/authentication.md'), 'utf8');

it('the page of authentication lists every operation with the scopes that reach it', () => {
  const [, rows = ''] = /\| Operation \|[^\n]*\n\|[-:|]+\n([\s\S]*?)\n\n/.exec(page) ?? [];
  const expected = operations
    .filter(({ path }) => versionOf(path) === 2)
    .map(({ method, path, scope }) => {
      const reached = scopes.map((held) => (scopeAllows(held, scope) ? 'yes' : 'no'));
      return `| \`${method} ${path.slice('/api/v2'.length)}\` | ${reached.join(' | ')} |`;
    });
  expect(rows.split('\n')).toEqual(expected);
});
