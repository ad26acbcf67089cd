/** Joining of generated conversations (docs/decisions/0012-ways-back-to-a-thread.md). */
import { expect, it } from 'vitest';
import { runConversations, scenarios } from './generated/conversations.ts';
import { score } from './generated/score.ts';

it('resolveThread joins 99 % of message pairs correctly and no forged message', async () => {
  const joined = await runConversations(scenarios.length * 6, 7);
  const { messages, precision, recall } = score(joined, null);
  expect(messages).toBeGreaterThan(500);
  expect(precision).toBeGreaterThanOrEqual(0.99);
  expect(recall).toBeGreaterThanOrEqual(0.99);
  const forged = scenarios.map(({ name }) => name).filter((name) => /forged|stranger/.test(name));
  expect(forged.length).toBeGreaterThan(3);
  for (const name of forged) expect(score(joined, name)).toMatchObject({ precision: 1 });
});
