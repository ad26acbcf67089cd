/** Measures the categories of labelled messages, and writes `bench/category.md`. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { categories } from '../lib/mail/category/categories.ts';
import { categoryOf, labelledMessages, messageSets } from '../test/mail/category/labelled-messages.ts';
import { table } from './bench/figures.ts';

const report = join(import.meta.dirname, '../bench/category.md');

interface Judged {
  readonly label: string;
  readonly found: string;
  readonly note: string;
}

const head = `# Categories, measured

Written by \`node scripts/measure-category.ts\`, which reads the labelled messages of \`test/mail/category/messages\`: written by hand, in
the shapes of mail programs and languages. *held-apart* was written before the rules that are measured here, and no rule was changed for it.
Rows are the labels, columns what \`categorize\` says. \`bench/corpus.md\` has the categories of real reports.
`;

const sections = await Promise.all(
  messageSets.map(async (set) => {
    const judged = await Promise.all(
      labelledMessages(set).map(async (one) => ({ ...one, found: await categoryOf(one) })),
    );
    return sectionOf(set, judged);
  }),
);
const text = [head, ...sections].join('\n');
writeFileSync(report, text);
console.log(text);

function sectionOf(set: string, judged: readonly Judged[]): string {
  const wrong = judged.filter(({ label, found }) => label !== found);
  const right = judged.length - wrong.length;
  const share = ((100 * right) / judged.length).toFixed(1);
  return `## ${set}: ${right} of ${judged.length} (${share} %)

${confusion(judged)}

${wrong.map(({ label, found, note }) => `- ${label}, read as ${found}: ${note}`).join('\n')}
`;
}

function confusion(judged: readonly Judged[]): string {
  const count = (label: string, found: string) =>
    judged.filter((one) => one.label === label && one.found === found).length;
  return table(
    ['Label', ...categories],
    categories.map((label) => [label, ...categories.map((found) => String(count(label, found) || ''))]),
  );
}
