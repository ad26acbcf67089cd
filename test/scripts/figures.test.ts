import { describe, expect, it } from 'vitest';
import { heaviestChain, longestChain, median, quantile, shown, table } from '../../scripts/bench/figures.ts';

const call = (startedAt: number, endedAt: number) => ({ startedAt, ms: endedAt - startedAt });

describe('the longest chain of calls', () => {
  it('counts calls side by side once, whatever their order in the list', () => {
    expect(longestChain([])).toBe(0);
    expect(longestChain([call(0, 5), call(1, 4), call(2, 9)])).toBe(1);
    expect(longestChain([call(6, 9), call(0, 2), call(1, 5), call(5, 6)])).toBe(3);
  });

  it('takes the branch with the most calls, not the one with the most time', () => {
    expect(longestChain([call(0, 10), call(0, 2), call(3, 5), call(6, 8), call(11, 12)])).toBe(4);
  });
});

describe('the heaviest chain of calls', () => {
  it('is that of the most weight, of which no two calls overlap', () => {
    const weigh = (...calls: [number, number, number][]) =>
      heaviestChain(
        calls.map(([startedAt, endedAt, weight]) => ({ ...call(startedAt, endedAt), weight })),
        ({ weight }) => weight,
      );
    expect(weigh()).toBe(0);
    // One long wait beside two short ones, then a call after all of them.
    expect(weigh([0, 2, 5], [2, 4, 5], [0, 4, 100], [4, 5, 10])).toBe(110);
    expect(weigh([0, 2, 5], [2, 4, 5], [0, 4, 9], [3, 5, 1])).toBe(10);
  });
});

describe('figures', () => {
  it('are told by their quantiles, in any order', () => {
    expect([median([3, 1, 2]), quantile([4, 1, 3, 2], 0.99), quantile([7], 0.99)]).toEqual([2, 4, 7]);
    expect(median([])).toBeNaN();
  });

  it('are shown in as many digits as they are worth', () => {
    expect([0, 1.25, 9.96, 12.5, 3, null, Number.NaN].map(shown)).toEqual([
      '0',
      '1.3',
      '10',
      '13',
      '3',
      '–',
      '–',
    ]);
  });

  it('stand to the right in a table, words to the left', () => {
    expect(
      table(
        ['What', 'ms'],
        [
          ['a', '1.5'],
          ['b', '–'],
        ],
      ),
    ).toBe('| What | ms |\n|---|---:|\n| a | 1.5 |\n| b | – |');
  });
});
