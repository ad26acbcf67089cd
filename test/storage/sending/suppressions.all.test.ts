/** Many suppressions of one request: few calls, side by side, whatever each of them takes. */
import { describe, expect, it } from 'vitest';
import { newId } from '../../../lib/adapters/ids.ts';
import type { WorkspaceId } from '../../../lib/core/ids.ts';
import { suppressAll } from '../../../lib/storage/sending/suppressions.ts';
import { counterKey } from '../../../lib/storage/table/keys.ts';
import { get } from '../../../lib/storage/table/reads.ts';
import { interceptTable } from '../../support/table-calls.ts';

const manual = {
  key: '*',
  scope: 'all',
  spaceId: null,
  note: null,
  reason: 'manual',
  sourceEmailId: null,
} as const;
const people = (count: number) => Array.from({ length: count }, (_, at) => `p${at}@example.test`);
const countOf = async (workspaceId: WorkspaceId) =>
  (await get(counterKey(workspaceId, 'suppressions')))?.count;

type Input = { readonly TransactItems?: readonly object[]; readonly RequestItems?: object };
const isWrite = ({ TransactItems }: Input) => TransactItems !== undefined;
const isRead = ({ RequestItems }: Input) => RequestItems !== undefined;

describe('suppressAll', () => {
  it.each([1000, 1001])('writes %d addresses in transactions, four at a time', async (count) => {
    const workspaceId = newId('wks');
    const sizes: number[] = [];
    let reads = 0;
    const fourAreSent = Promise.withResolvers<void>();
    const stored = await interceptTable(
      async (input: Input, send) => {
        if (isRead(input)) reads++;
        if (isWrite(input)) {
          sizes.push(input.TransactItems?.length ?? 0);
          // No write is answered before four are sent: with 25 ms each, all of them wait for 75 ms.
          if (sizes.length === 4) fourAreSent.resolve();
          await fourAreSent.promise;
        }
        return await send(input);
      },
      () => suppressAll(workspaceId, people(count), manual),
    );
    expect(stored?.map(({ address }) => address)).toEqual(people(count));
    expect(sizes.reduce((sum, size) => sum + size)).toBe(count);
    expect([sizes.length, Math.max(...sizes)]).toEqual([11, 99]);
    expect(reads).toBeLessThanOrEqual(sizes.length);
    expect(await countOf(workspaceId)).toBe(count);
  });

  it('repeats what got no answer in time, before or after it was carried out', async () => {
    const workspaceId = newId('wks');
    let writes = 0;
    const stored = await interceptTable(
      async (input: Input, send) => {
        const late = Object.assign(new Error('late'), { name: 'TimeoutError' });
        if (isWrite(input) && ++writes === 1) throw late;
        const answer = await send(input);
        if (isWrite(input) && writes === 2) throw late;
        return answer;
      },
      () => suppressAll(workspaceId, people(250), manual),
    );
    expect(stored?.map(({ address }) => address)).toEqual(people(250));
    expect(await countOf(workspaceId)).toBe(250);
  });

  it('keeps what it has written, and counts it, when a transaction fails, and completes it when it is repeated', async () => {
    const workspaceId = newId('wks');
    const addresses = people(250);
    let writes = 0;
    const failing = interceptTable(
      async (input: Input, send) => {
        if (isWrite(input) && ++writes === 2) throw new Error('no answer');
        return await send(input);
      },
      () => suppressAll(workspaceId, addresses, manual),
    );
    await expect(failing).rejects.toThrow('no answer');
    expect(await countOf(workspaceId)).toBe(250 - 99);
    const first = await suppressAll(workspaceId, addresses.slice(0, 99), manual);
    const all = await suppressAll(workspaceId, [...addresses, ...addresses], manual);
    expect(all?.map(({ address }) => address)).toEqual([...addresses, ...addresses]);
    expect(all?.slice(0, 99)).toEqual(first);
    expect(await countOf(workspaceId)).toBe(250);
  });

  it('writes each address once when two requests have the same ones', async () => {
    const workspaceId = newId('wks');
    const both = await Promise.all([1, 2].map(() => suppressAll(workspaceId, people(300), manual)));
    expect(both[0]).toEqual(both[1]);
    expect(await countOf(workspaceId)).toBe(300);
  });
});
