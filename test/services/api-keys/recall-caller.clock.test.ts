/** When a function does not recall a key any more (docs/decisions/0047-teardown-of-spaces.md#erased-workspaces). */
import { expect, it } from 'vitest';
import { now } from '../../../lib/adapters/clock.ts';
import { authenticate, recallCaller } from '../../../lib/services/api-keys/authenticate.ts';
import { eraseWorkspace } from '../../../lib/services/workspaces/erase-workspace.ts';
import { cloud } from '../../support/cloud.ts';
import { here, seenKey } from '../../support/seen-key.ts';
import { workspace } from '../../support/workspace.ts';

it('recallCaller returns null when the key has expired', async () => {
  const token = await seenKey({ expiresAt: now() + 60_000 });
  expect(recallCaller(token, here)).not.toBeNull();
  await cloud().advance(60);
  expect(recallCaller(token, here)).toBeNull();
});

it('recallCaller returns null when the workspace may have been erased for as long as others write', async () => {
  const { id, key } = await workspace();
  expect(await authenticate(key, here)).not.toBeNull();
  await eraseWorkspace({ id }, 'erase');
  expect(recallCaller(key, here)).not.toBeNull();
  await cloud().advance(10 * 60);
  expect(recallCaller(key, here)).toBeNull();
});
