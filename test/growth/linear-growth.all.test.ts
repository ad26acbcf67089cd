/**
 * Processor time of every exported function of `lib/core` and `lib/mail` grows with the text from outside and no faster. A new export
 * fails until it is listed, with a case or with the reason why it needs none.
 */
import { globSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { expectLinear } from '../support/growth.ts';
import type { Case } from './cases.ts';
import { diagnosticsCases } from './diagnostics-cases.ts';
import { mailCases } from './mail-cases.ts';
import { otherCases } from './other-cases.ts';
import { quotingCases } from './quoting-cases.ts';
import { signalCases } from './signal-cases.ts';

const lib = join(import.meta.dirname, '../../lib');
/** The readers of files have bounds of their own (test/mail/files/hostile.all.test.ts); the index has nothing of its own. */
const isElsewhere = /^mail\/(files\/(?!extracted-text)|index\.ts$)/;
const cases = { ...diagnosticsCases, ...mailCases, ...otherCases, ...signalCases, ...quotingCases };

/** What a text is made of; each has made some parser slow, or is what a rule looks for. */
const units = [
  ...[
    'a',
    '1',
    ' ',
    '\t',
    '\n',
    '\t\n',
    '.',
    ',',
    ';',
    ':',
    '-',
    '_',
    '+',
    '*',
    '>',
    '<',
    '@',
    '(',
    '"',
    '/',
    '&',
  ],
  ...['é', '了', '、', '\u00ad', '\u200b', '\u{1f600}'],
  ...[
    'a@',
    '<a@',
    '<a@b ',
    'a.',
    'a b ',
    'A b. ',
    'On ',
    'Re: ',
    '[a] ',
    '> x\n',
    '---',
    '--b\n',
    '-- \n',
    '=C3',
  ],
  ...[
    '=?utf-8?q?=3C?= ',
    '1.1.2024 10:00 ',
    '5.1.1 ',
    'name=a;',
    'http://a',
    '{{ ',
    'user a ',
    'wrote:',
    'From: a ',
  ],
  ...['<div>', '<ol><li>', '<a href="', '<p style="', 'white-space ', 'border: '],
  ...['thanks and ', 'Best regards, ', 'please '],
];
const smallCharacters = 1000;

const textsOf = (size: number) => units.map((unit) => `${unit.repeat(Math.ceil(size / unit.length))}!`);

/** Fails when a function takes longer for one text than for sixteen texts of the same total size. */
async function expectLinearGrowth(run: Case): Promise<void> {
  const runAll = async (texts: readonly string[]) => {
    for (const text of texts) await run(text);
  };
  await expectLinear(textsOf, runAll, smallCharacters);
}

async function exportedFunctions(path: string): Promise<string[]> {
  const exported: Record<string, unknown> = await import(join(lib, path));
  return Object.keys(exported).filter((name) => typeof exported[name] === 'function');
}

describe('lib/core and lib/mail', () => {
  it('has a growth case, or a reason for none, for each exported function', async () => {
    const modules = globSync('{core,mail}/**/*.ts', { cwd: lib }).filter((path) => !isElsewhere.test(path));
    const exported = await Promise.all(
      modules.map(async (path) => (await exportedFunctions(path)).map((name) => `${path} ${name}`)),
    );
    const listed = Object.entries(cases).flatMap(([path, functions]) =>
      Object.keys(functions).map((name) => `${path} ${name}`),
    );
    expect(listed.sort()).toEqual(exported.flat().sort());
  });

  const runs = Object.entries(cases).flatMap(([path, functions]) =>
    Object.entries(functions).flatMap(([name, run]) =>
      typeof run === 'string' ? [] : [{ name: `${path} ${name}`, run }],
    ),
  );

  it.each(runs)(
    '$name takes time in proportion to its text when the text is adversarial',
    async ({ run }) => await expectLinearGrowth(run),
  );
});

describe('expectLinear', () => {
  it('fails when a function reads the rest of a text at each character', async () => {
    const quadratic = (text: string) => {
      let found = 0;
      for (let at = 0; at < text.length; at++) {
        for (let ahead = at; ahead < text.length; ahead++) {
          if (text.charCodeAt(ahead) === 0) found++;
        }
      }
      return found;
    };
    const make = (size: number) => '<'.repeat(size);
    await expect(expectLinear(make, quadratic, smallCharacters)).rejects.toThrow(/one large/);
  });
});
