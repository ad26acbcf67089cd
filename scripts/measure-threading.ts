/** Holds a thousand conversations with the rules of joining and writes `bench/threading.md`. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { converse, habits } from './threading/conversations.ts';
import { type Score, score } from './threading/score.ts';

const conversations = 1000;
const seed = 4;
const report = join(import.meta.dirname, '../bench/threading.md');

const placed = await converse(conversations, seed);
const text = reportOn([...habits.map(({ name }) => score(placed, name)), score(placed, null)]);
mkdirSync(join(report, '..'), { recursive: true });
writeFileSync(report, text);
console.log(text);

function reportOn(scores: readonly Score[]): string {
  const share = (value: number) => value.toFixed(4);
  const rows = scores.map(
    ({ habit, messages, precision, recall }) =>
      `| ${habit === 'All' ? '**All**' : habit} | ${messages} | ${share(precision)} | ${share(recall)} |`,
  );
  return `# Joining, measured

Written by \`node scripts/measure-threading.ts\`, which replaces this file.

${conversations} conversations (seed ${seed}) are held at once over 60 days with two mailboxes, few people and few subjects, so that
they have every chance to be mistaken for one another. Each message that comes in is a raw mail in the manner of one mail
program or one situation; it is read and placed by the code that does so in the product (\`lib/core/mail/parse.ts\`,
\`lib/services/find-place.ts\`, \`lib/core/threading\`). Only the table is a stand-in: \`scripts/threading/world.ts\` holds in memory
what \`lib/storage/message-ids.ts\` and \`lib/storage/threads.ts\` hold in DynamoDB. The set is made, not collected: it says how the
rules do with habits that are known, not which habits there are.

Counted are pairs of messages. *Precision*: of the pairs in one thread, how many are of one conversation. *Recall*: of the pairs
of one conversation, how many are in one thread. A row counts the pairs with a message of its habit. What a row of single
messages loses in precision, it took from somebody: a stranger's mail must join nothing. One row cannot be won, since the mail
does not say which thread it means; it is here to show what taking the newest costs.

| Habit | Messages | Precision | Recall |
|---|---|---|---|
${rows.join('\n')}
`;
}
