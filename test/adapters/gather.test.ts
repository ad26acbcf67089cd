import { setImmediate as nextTurn } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { gather } from '../../lib/adapters/gather.ts';

/** What was handed over, and a way to ask. */
function gathering() {
  const taken: (readonly string[])[] = [];
  return { taken, ask: gather<string>((all) => taken.push(all)) };
}

describe('gather', () => {
  it('hands over together what is asked for at the same time', async () => {
    const { taken, ask } = gathering();
    ask('one');
    ask('two');
    expect(taken).toEqual([]);
    await nextTurn();
    expect(taken).toEqual([['one', 'two']]);
  });

  it('waits for promise jobs, of which each may begin the next', async () => {
    const { taken, ask } = gathering();
    const askLater = async (one: string, jobs: number) => {
      for (let at = 0; at < jobs; at++) await null;
      ask(one);
    };
    ask('one');
    await Promise.all([askLater('two', 2), askLater('three', 20)]);
    await nextTurn();
    expect(taken).toEqual([['one', 'two', 'three']]);
  });

  it('waits for nothing else: what is asked for in the next turn is handed over then', async () => {
    const { taken, ask } = gathering();
    ask('one');
    await nextTurn();
    ask('two');
    await nextTurn();
    expect(taken).toEqual([['one'], ['two']]);
  });

  it('begins anew where taking asks for more', async () => {
    const taken: (readonly string[])[] = [];
    const ask = gather<string>((all) => {
      taken.push(all);
      if (taken.length === 1) ask('two');
    });
    ask('one');
    await nextTurn();
    expect(taken).toEqual([['one'], ['two']]);
  });
});
