/** Reads of one turn whose call is throttled: real back-offs. */
import { afterEach, describe, expect, it } from 'vitest';
import { newId } from '../../../lib/adapters/ids.ts';
import { TableBusy } from '../../../lib/core/work/table-busy.ts';
import { auditEntries } from '../../../lib/storage/table/keys.ts';
import { get } from '../../../lib/storage/table/reads.ts';
import { putMany } from '../../../lib/storage/table/table.ts';
import { clearFaults, inject } from '../../faults/kit.ts';

afterEach(clearFaults);

/** Items `a`, `b` and `c` of a workspace, and the key of any other. */
async function storedItems() {
  const workspaceId = newId('wks');
  const keyOf = (sk: string) => ({ pk: auditEntries(workspaceId), sk });
  await putMany(['a', 'b', 'c'].map((sk) => ({ ...keyOf(sk), text: `text ${sk}` })));
  return { workspaceId, keyOf };
}

describe('of reads of one turn', () => {
  it('all are made again where the call fails for a while, and fail where it does not end', async () => {
    const { workspaceId, keyOf } = await storedItems();
    const both = () => Promise.allSettled([get(keyOf('a')), get(keyOf('b'))]);
    await inject({ action: 'BatchGetItem', kind: 'throttle', times: 1, match: workspaceId });
    expect((await both()).map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled']);
    await inject({ action: 'BatchGetItem', kind: 'throttle', times: 1_000, match: workspaceId });
    const failed = await both();
    expect(failed.map((result) => result.status === 'rejected' && result.reason)).toEqual([
      expect.any(TableBusy),
      expect.any(TableBusy),
    ]);
  });
});
