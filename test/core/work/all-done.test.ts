import { describe, expect, it } from 'vitest';
import { allDone, each } from '../../../lib/core/work/all-done.ts';

describe('allDone', () => {
  it('returns the results in the order of the work', async () => {
    const { promise, resolve } = Promise.withResolvers<string>();
    const all = allDone([promise, Promise.resolve('second')]);
    resolve('first');
    expect(await all).toEqual(['first', 'second']);
  });

  it('throws the first error only when the rest has ended', async () => {
    const rest = Promise.withResolvers<void>();
    let hasThrown = false;
    const all = allDone([Promise.reject(new Error('one')), rest.promise, Promise.reject(new Error('two'))]);
    const outcome = all.catch((error: Error) => {
      hasThrown = true;
      return error.message;
    });
    await new Promise(setImmediate);
    expect(hasThrown).toBe(false);
    rest.resolve();
    expect(await outcome).toBe('one');
  });
});

describe('each', () => {
  it('works on every record once, and on no more than so many at the same time', async () => {
    const done: number[] = [];
    let [working, most] = [0, 0];
    await each(
      Array.from({ length: 1000 }, (_, at) => at),
      3,
      async (record) => {
        working += 1;
        most = Math.max(most, working);
        await new Promise(setImmediate);
        working -= 1;
        done.push(record);
      },
    );
    expect(most).toBe(3);
    expect(done.toSorted((a, b) => a - b)).toEqual(Array.from({ length: 1000 }, (_, at) => at));
  });

  it('throws the first error', async () => {
    const failing = each([1, 2, 3], 2, async (record) => {
      if (record === 2) throw new Error('two');
    });
    await expect(failing).rejects.toThrow('two');
  });
});
