/** The OpenAPI documents before others' linter, which `npm run tools` installs. */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';

/** What is used of the linter; `npm run check` has no type of it. */
interface Linter {
  createConfig(config: object): Promise<object>;
  lintFromString(options: {
    readonly source: string;
    readonly absoluteRef: string;
    readonly config: object;
  }): Promise<readonly { readonly ruleId: string; readonly message: string }[]>;
}

describe.each([1, 2])('docs/openapi/v%d.json', (version) => {
  const file = join(import.meta.dirname, `../../docs/openapi/v${version}.json`);

  it('has no finding of the linter', async () => {
    const { createConfig, lintFromString }: Linter = createRequire(
      join(import.meta.dirname, '../tools/package.json'),
    )('@redocly/openapi-core');
    const config = await createConfig({
      extends: ['recommended'],
      rules: {
        // The committed document describes an example deployment.
        'no-server-example.com': 'off',
        // A download answers 307.
        'operation-2xx-response': 'off',
      },
    });
    const problems = await lintFromString({ source: readFileSync(file, 'utf8'), absoluteRef: file, config });
    expect(problems.map(({ ruleId, message }) => `${ruleId}: ${message}`)).toEqual([]);
  });
});
