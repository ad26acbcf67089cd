import { describe, expect, it } from 'vitest';
import { allDone } from '../../../lib/core/work/all-done.ts';

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
