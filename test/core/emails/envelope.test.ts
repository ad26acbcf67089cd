import { expect, it } from 'vitest';
import { chunksOf } from '../../../lib/core/emails/envelope.ts';

it('chunksOf makes a second chunk when there is one recipient more than SES takes in a call', () => {
  const addresses = Array.from({ length: 51 }, (_, at) => `a${at}@example.test`);
  expect(chunksOf(addresses.slice(0, 50))).toEqual([addresses.slice(0, 50)]);
  expect(chunksOf(addresses)).toEqual([addresses.slice(0, 50), addresses.slice(50)]);
});
