/** Measures reading of lists in legacy charsets, and writes `bench/charsets.md`. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Trial, trialsOf } from './charsets/judge.ts';

/** Rows of a list, and how many lists of each language in each charset. */
const sizes = [
  [1, 20],
  [3, 20],
  [10, 10],
  [100, 3],
  [10_000, 1],
] as const;

const outcomes = {
  right: ({ isRight, warnings }: Trial) => isRight && warnings.length === 0,
  'right, with a warning': ({ isRight, warnings }: Trial) => isRight && warnings.length > 0,
  'wrong, with a warning': ({ isRight, warnings }: Trial) => !isRight && warnings.length > 0,
  'wrong without a warning': ({ isRight, warnings }: Trial) => !isRight && warnings.length === 0,
};

function rowOf(title: string, trials: readonly Trial[]): string {
  const cells = Object.values(outcomes).map((outcome) => {
    const count = trials.filter(outcome).length;
    return `${count} (${((count / trials.length) * 100).toFixed(1)} %)`;
  });
  return `| ${[title, trials.length, ...cells].join(' | ')} |`;
}

const columns = ['Lists of', 'lists', ...Object.keys(outcomes)];
const rows: string[] = [];
const languages = new Set<string>();
const charsets = new Set<string>();
for (const [size, lists] of sizes) {
  const trials = trialsOf(size, lists);
  for (const { locale, charset } of trials) {
    languages.add(locale);
    charsets.add(charset);
  }
  rows.push(rowOf(`${size} rows`, trials));
  const few = trials.filter(({ letters }) => letters < 20);
  if (few.length > 0) rows.push(rowOf(`${size} rows, fewer than 20 letters outside of ASCII`, few));
}
const page = `# Charsets of lists, measured

Written by \`node scripts/measure-charsets.ts\`. Lists of people, places, goods, amounts and dates in ${languages.size} languages, each
in the legacy charsets that its programs write (${charsets.size} charsets), without a declaration and without words of a message. A list
is right if every character is. The warning names two charsets. Places and goods are the names of countries and languages
in the locale data of Node.js, so lists of few rows differ from version to version.

| ${columns.join(' | ')} |
|---|${'---:|'.repeat(columns.length - 1)}
${rows.join('\n')}
`;
writeFileSync(join(import.meta.dirname, '../bench/charsets.md'), page);
process.stdout.write(page);
