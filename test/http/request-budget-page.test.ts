/** The table of classes is that of the contracts (docs/concepts/request-budget.md#class-of-each-operation). */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { operations } from '../../functions/operations.ts';
import { versionOf } from '../../lib/http/versions.ts';

const page = readFileSync(join(import.meta.dirname, '../../docs/concepts/request-budget.md'), 'utf8');

it('the page of the request budget lists every operation with its class', () => {
  const [, rows = ''] = /\| Operation \|[^\n]*\n\|[-:|]+\n([\s\S]*?)\n\n/.exec(page) ?? [];
  const expected = operations
    .filter(({ path }) => versionOf(path) === 2)
    .map(({ method, path, budget }) => {
      const shown =
        budget === 'read, or query with a search term' ? '`read`; `query` with `query`' : `\`${budget}\``;
      return `| \`${method} ${path.slice('/api/v2'.length)}\` | ${shown} |`;
    });
  expect(rows.split('\n')).toEqual(expected);
});
