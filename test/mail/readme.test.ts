import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import * as mail from '../../lib/mail/index.ts';

const readme = readFileSync(join(import.meta.dirname, '../../lib/mail/README.md'), 'utf8');
const examples = [...readme.matchAll(/^## (.*)\n[^#]*?```ts\n([\s\S]*?)```/gm)].map(
  ([, title = '', code = '']) => ({
    title,
    code,
  }),
);

/** Runs an example; a comment behind an expression is what the expression must be. */
async function run(code: string): Promise<number> {
  let checks = 0;
  const check = (found: unknown, expected: unknown) => {
    checks++;
    expect(found).toEqual(expected);
  };
  const body = code
    .replace(/^import (\{[^}]*\}) from '\.\/index\.ts';$/m, 'const $1 = mail;')
    .replace(/^(\S.*); \/\/ (.*)$/gm, 'check($1, $2);');
  await new AsyncFunction('mail', 'check', body)(mail, check);
  return checks;
}

const AsyncFunction = (async () => {}).constructor as new (
  ...code: string[]
) => (...values: unknown[]) => Promise<void>;

describe('the README of lib/mail', () => {
  it('has examples', () => {
    expect(examples.length).toBeGreaterThanOrEqual(4);
  });

  it.each(examples)('$title: the example gives what its comments say', async ({ code }) => {
    expect(await run(code)).toBeGreaterThan(1);
  });
});
