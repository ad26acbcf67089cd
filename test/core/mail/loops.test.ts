import { describe, expect, it } from 'vitest';
import { hopsMax, hopsOf, isOwnMailLoop } from '../../../lib/core/mail/mail-loop.ts';

const received = (count: number) =>
  Array.from({ length: count }, (_, at) => ({
    name: at % 2 ? 'Received' : 'RECEIVED',
    value: 'from a by b',
  }));

describe('hops', () => {
  it.each([0, 1, 25, 26])('%i Received fields are as many hops, however they are spelt', (count) => {
    const others = [
      { name: 'X-Received', value: 'by c' },
      { name: 'Received-SPF', value: 'pass' },
    ];
    expect(hopsOf([...received(count), ...others])).toBe(count);
  });

  it('more than 25 are too many', () => {
    expect(hopsMax).toBe(25);
  });
});

describe('mail of ours has come back', () => {
  it.each([
    [['ann@out.example'], ['bob@in.example'], true],
    [['ann@out.example', 'bob@in.example'], ['bob@in.example'], false],
    [['Bob@IN.example'], ['bob@in.example'], false],
    [['bob@in.example'], ['bob@in.example', 'eve@in.example'], false],
  ])('sent to %j, arrived at %j: %s', (sentTo, arrivedAt, expected) => {
    expect(isOwnMailLoop(sentTo, arrivedAt)).toBe(expected);
  });
});
