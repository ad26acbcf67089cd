import { expect, it } from 'vitest';
import { categoryOf, labelledMessages, messageSets } from './labelled-messages.ts';

/** Shares below which a set must not fall (`bench/category.md`). */
const floors = { 'held-apart': 0.98, 'worked-on': 0.99 };

it.each(messageSets)('categorize agrees with a person about the messages %s', async (set) => {
  const messages = labelledMessages(set);
  expect(messages.length).toBeGreaterThan(150);
  const found = await Promise.all(messages.map(categoryOf));
  const wrong = messages.flatMap(({ label, note }, at) =>
    found[at] === label ? [] : [`${label}, read as ${found[at]}: ${note}`],
  );
  expect(1 - wrong.length / messages.length, wrong.join('\n')).toBeGreaterThanOrEqual(floors[set]);
});
