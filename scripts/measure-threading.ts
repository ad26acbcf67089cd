/** Measures joining on generated conversations and writes `bench/threading.md`. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { runConversations, scenarios } from './threading/conversations.ts';
import { type Score, score } from './threading/score.ts';

const conversations = 1000;
const seed = 4;
const report = join(import.meta.dirname, '../bench/threading.md');

const joined = await runConversations(conversations, seed);
const text = reportOn([...scenarios.map(({ name }) => score(joined, name)), score(joined, null)]);
mkdirSync(join(report, '..'), { recursive: true });
writeFileSync(report, text);
console.log(text);

function reportOn(scores: readonly Score[]): string {
  const share = (value: number) => value.toFixed(4);
  const rows = scores.map(
    ({ scenario, messages, precision, recall }) =>
      `| ${scenario === 'All' ? '**All**' : scenario} | ${messages} | ${share(precision)} | ${share(recall)} |`,
  );
  return `# Thread joining, measured

Written by \`node scripts/measure-threading.ts\`, which replaces this file.

${conversations} conversations (seed ${seed}) run interleaved over 60 days with two mailboxes, few people and few subjects, so that
they are easily confused. Each received message is a raw mail in the style of one mail program or one situation; it is parsed
and joined by the product's code (\`lib/core/mail/parse-mime.ts\`, \`lib/services/threads/resolve-thread.ts\`, \`lib/core/threading\`).
Only the table is replaced: \`scripts/threading/in-memory-threads.ts\` holds in memory what \`lib/storage/message-ids.ts\` and
\`lib/storage/threads.ts\` store in DynamoDB. The conversations are generated, not collected: they measure the known situations.

Pairs of messages are counted. *Precision*: the share of pairs in one thread that belong to one conversation. *Recall*: the share
of pairs of one conversation that are in one thread. A row counts the pairs with a message of its scenario. In the last rows each
message is a conversation of its own and must join nothing. "No ids, and the older of two threads of one subject is meant" cannot
be solved, since the message does not tell; it shows the cost of choosing the newest.

| Scenario | Messages | Precision | Recall |
|---|---|---|---|
${rows.join('\n')}
`;
}
