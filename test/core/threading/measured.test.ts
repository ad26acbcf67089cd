/** Joining of generated conversations; `scripts/measure-threading.ts` measures a larger set. */
import { expect, it } from 'vitest';
import { runConversations, scenarios } from '../../../scripts/threading/conversations.ts';
import { score } from '../../../scripts/threading/score.ts';

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
