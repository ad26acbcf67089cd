import { expect, it } from 'vitest';
import { preferredWait } from '../../lib/http/prefer.ts';

it.each([
  [undefined, null],
  ['wait=1', 1],
  ['wait=20', 20],
  ['wait=21', 20],
  ['wait=999999999999999999999', 20],
  ['respond-async, Wait = "7"', 7],
  ['wait=0', null],
  ['wait=-1', null],
  ['wait=1.5', null],
  ['wait', null],
  ['await=5', null],
])('preferredWait of %j is %j seconds', (header, seconds) => {
  expect(preferredWait(header)).toBe(seconds);
});
