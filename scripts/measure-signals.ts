/** Measures the signals of labelled and of ordinary messages, and writes `bench/signals.md`. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type SignalCode, signalCodes } from '../lib/mail/signals/signal-codes.ts';
import { generated } from '../test/fixtures/signals/generated.ts';
import { heldApart } from '../test/fixtures/signals/held-apart.ts';
import { codesOf, type LabelledMessage, rawOf } from '../test/fixtures/signals/labelled-message.ts';
import { ordinaryMail } from '../test/fixtures/signals/ordinary-mail.ts';
import { table } from './bench/figures.ts';
import { corpusName } from './corpus/files.ts';

const report = join(import.meta.dirname, '../bench/signals.md');
const seed = 20261125;

interface Judged {
  readonly expected: readonly SignalCode[];
  readonly found: readonly SignalCode[];
}

const judge = async (messages: readonly LabelledMessage[]): Promise<Judged[]> =>
  await Promise.all(
    messages.map(async (one) => ({ expected: one.codes, found: await codesOf(rawOf(one), one) })),
  );

const percent = (part: number, all: number): string =>
  all === 0 ? '–' : `${((100 * part) / all).toFixed(1)} %`;

function byCode(judged: readonly Judged[]): string {
  const rows = signalCodes.map((code) => {
    const expected = judged.filter((one) => one.expected.includes(code));
    const found = judged.filter((one) => one.found.includes(code));
    const right = expected.filter((one) => one.found.includes(code)).length;
    return [code, String(expected.length), percent(right, expected.length), percent(right, found.length)];
  });
  return table(
    ['Code', 'Messages', 'Recall', 'Precision'],
    rows.filter(([, count]) => count !== '0'),
  );
}

const ordinary = await Promise.all(
  ordinaryMail().map(async ({ raw }) => ({ expected: [], found: await codesOf(raw, { own: [] }) })),
);
const newsletters = await judge(generated('newsletter', 1000, seed));

function falsePositives(): string {
  const rows = signalCodes.map((code) => {
    const count = (judged: readonly Judged[]) => judged.filter((one) => one.found.includes(code)).length;
    return [
      code,
      ...[ordinary, newsletters].map((set) => `${count(set)} (${percent(count(set), set.length)})`),
    ];
  });
  return table(
    ['Code', `Ordinary mail (${ordinary.length})`, `Generated newsletters (${newsletters.length})`],
    rows,
  );
}

const text = `# Signals, measured

Written by \`node scripts/measure-signals.ts\`. [docs/concepts/signals.md](../docs/concepts/signals.md) has the rules,
\`test/fixtures/signals\` the messages.

## Held apart

${heldApart.length} messages written by hand before the rules were. The first look found the expected codes in 88 of them; the
other one had an invalid domain, which was corrected. Who wrote the messages also made the rules: expect less of mail of others.

${byCode(await judge(heldApart))}

## Generated

2,000 messages by seed ${seed}: ways to hide a text, and look-alikes of domains.

${byCode([...(await judge(generated('hidden', 1000, seed))), ...(await judge(generated('lookalike', 1000, seed)))])}

## False positives

In ${corpusName}, with the messages of categories. \`first_contact\` is not asked for, and the domains of the workspace are none.

${falsePositives()}
`;
writeFileSync(report, text);
console.log(text);
