/** Reads of one turn are one call (docs/decisions/0064-reads-of-a-turn-are-one-call.md). */
import type { BatchGetItemCommandInput } from '@aws-sdk/client-dynamodb';
import { afterEach, describe, expect, it } from 'vitest';
import { newId } from '../../../lib/adapters/ids.ts';
import { auditEntries } from '../../../lib/storage/table/keys.ts';
import { get, getMany } from '../../../lib/storage/table/reads.ts';
import { type Item, put, putMany } from '../../../lib/storage/table/table.ts';
import { clearFaults, inject } from '../../faults/kit.ts';
import { ownCalls } from '../../support/calls.ts';
import { interceptTable } from '../../support/table-calls.ts';

afterEach(clearFaults);

/** Items `a`, `b` and `c` of a workspace, and the key of any other. */
async function storedItems() {
  const workspaceId = newId('wks');
  const keyOf = (sk: string) => ({ pk: auditEntries(workspaceId), sk });
  await putMany(['a', 'b', 'c'].map((sk) => ({ ...keyOf(sk), text: `text ${sk}` })));
  return { workspaceId, keyOf };
}

const texts = (items: readonly (Item | null)[]) => items.map((item) => item?.text ?? null);

/** The calls that `flow` makes, and what it returns. */
async function recorded<T>(flow: () => Promise<T>): Promise<{ calls: readonly string[]; result: T }> {
  let result: T | undefined;
  const calls = await ownCalls(async () => {
    result = await flow();
  });
  return { calls, result: result as T };
}

const wrongKey = { pk: '', sk: 'a' };

describe('reads of one turn', () => {
  it('are one call, of which each gets its own', async () => {
    const { keyOf } = await storedItems();
    const { calls, result } = await recorded(() =>
      Promise.all([get(keyOf('c')), getMany([keyOf('b'), keyOf('x'), keyOf('a')]), get(keyOf('x'))]),
    );
    const [third, many, none] = result;
    expect(calls).toEqual(['BatchGetItem']);
    expect(texts([third, ...many, none])).toEqual(['text c', 'text b', null, 'text a', null]);
  });

  it('read a key once', async () => {
    const { keyOf } = await storedItems();
    const batches: (number | undefined)[] = [];
    const items = await interceptTable(
      async (input: BatchGetItemCommandInput, send) => {
        batches.push(...Object.values(input.RequestItems ?? {}).map(({ Keys }) => Keys?.length));
        return await send(input);
      },
      () => Promise.all([get(keyOf('a')), get(keyOf('b')), get(keyOf('a')), get(keyOf('b'))]),
    );
    expect(texts(items)).toEqual(['text a', 'text b', 'text a', 'text b']);
    expect(batches).toEqual([2]);
  });

  it('of one key are no batch', async () => {
    const { keyOf } = await storedItems();
    const { calls, result } = await recorded(() => Promise.all([get(keyOf('a')), get(keyOf('a'))]));
    expect([calls, texts(result)]).toEqual([['GetItem'], ['text a', 'text a']]);
  });

  it('are as many calls as their keys need', async () => {
    const { keyOf } = await storedItems();
    const keys = Array.from({ length: 205 }, (_, at) => keyOf(`n${at}`));
    await put({ ...keyOf('n204'), text: 'the last' });
    const { calls, result } = await recorded(() => getMany(keys));
    expect(calls).toEqual(['BatchGetItem', 'BatchGetItem', 'BatchGetItem']);
    expect(result.filter((item) => item !== null)).toEqual([result[204]]);
  });

  it('see what was written before they were asked for', async () => {
    const { keyOf } = await storedItems();
    const first = get(keyOf('a'));
    await first;
    await put({ ...keyOf('a'), text: 'changed' });
    expect(texts(await Promise.all([get(keyOf('a')), get(keyOf('b'))]))).toEqual(['changed', 'text b']);
  });
});

describe('of reads of one turn', () => {
  it('a wrong one fails alone', async () => {
    const { keyOf } = await storedItems();
    const results = await Promise.allSettled([get(keyOf('a')), get(wrongKey), getMany([keyOf('b')])]);
    expect(results).toMatchObject([
      { status: 'fulfilled', value: { text: 'text a' } },
      { status: 'rejected', reason: { name: 'ValidationException' } },
      { status: 'fulfilled', value: [{ text: 'text b' }] },
    ]);
  });

  it('all fail where the call fails for another reason', async () => {
    const { workspaceId, keyOf } = await storedItems();
    await inject({
      kind: 'error',
      status: 400,
      code: 'AccessDeniedException',
      times: 10,
      match: workspaceId,
    });
    const calls = await ownCalls(async () => {
      const results = await Promise.allSettled([get(keyOf('a')), get(keyOf('b'))]);
      expect(results.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    });
    expect(calls).toEqual(['BatchGetItem']);
  });

  it('those that DynamoDB has answered do not wait for the others', async () => {
    const { keyOf } = await storedItems();
    const order: string[] = [];
    let rounds = 0;
    const note = async (sk: string) => {
      const item = await get(keyOf(sk));
      order.push(`${sk}: ${item?.text}`);
    };
    // The first call leaves its first key unprocessed, as one whose partition is throttled.
    await interceptTable(
      async (input: BatchGetItemCommandInput, send) => {
        const [[table = '', batch] = []] = Object.entries(input.RequestItems ?? {});
        rounds += 1;
        order.push(`call ${rounds}`);
        const [left, ...Keys] = batch?.Keys ?? [];
        if (rounds > 1 || !left) return await send(input);
        const output = await send({ RequestItems: { [table]: { ...batch, Keys } } });
        return { ...output, UnprocessedKeys: { [table]: { Keys: [keyOf('a')] } } };
      },
      () => Promise.all(['a', 'b', 'c'].map(note)),
    );
    expect(order.slice(0, 3)).toEqual(['call 1', 'b: text b', 'c: text c']);
    expect(order.at(-1)).toBe('a: text a');
  });
});
