/** Joining on a made set of conversations (`scripts/measure-threading.ts` measures on a larger one). */
import { expect, it } from 'vitest';
import { converse, habits } from '../../../scripts/threading/conversations.ts';
import { score } from '../../../scripts/threading/score.ts';

it('puts 99 of 100 pairs of messages where they belong, and no forgery anywhere else', async () => {
  const placed = await converse(habits.length * 6, 7);
  const { messages, precision, recall } = score(placed, null);
  expect(messages).toBeGreaterThan(500);
  expect(precision).toBeGreaterThanOrEqual(0.99);
  expect(recall).toBeGreaterThanOrEqual(0.99);
  const forged = habits.map(({ name }) => name).filter((name) => /forged|stranger/.test(name));
  expect(forged.length).toBeGreaterThan(3);
  for (const name of forged) expect(score(placed, name)).toMatchObject({ precision: 1 });
});
