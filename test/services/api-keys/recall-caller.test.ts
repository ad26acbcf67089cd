/** Keys that a function recalls (docs/decisions/0047-teardown-of-spaces.md#erased-workspaces). */
import { expect, it } from 'vitest';
import { createKey } from '../../../lib/services/api-keys/api-keys.ts';
import { authenticate, recallCaller } from '../../../lib/services/api-keys/authenticate.ts';
import { here, seenKey } from '../../support/seen-key.ts';
import { workspace } from '../../support/workspace.ts';

it('recallCaller returns the caller that authenticate found', async () => {
  const { id } = await workspace();
  const { token, key } = await createKey(id, { name: 'k', scope: 'sending' });
  await authenticate(token, here);
  expect(recallCaller(token, here)).toMatchObject({ workspaceId: id, actor: key.id, scope: 'sending' });
});

it('recallCaller returns null when the key does not allow the address', async () => {
  const token = await seenKey({ allowedIps: ['192.0.2.0/24'] });
  expect(recallCaller(token, '192.0.2.255')).not.toBeNull();
  expect(recallCaller(token, '198.51.100.1')).toBeNull();
  expect(recallCaller(token, here)).not.toBeNull();
});

it('recallCaller returns null when the key was refused meanwhile', async () => {
  const token = await seenKey({ allowedIps: ['192.0.2.0/24'] });
  expect(await authenticate(token, '198.51.100.1')).toBeNull();
  expect(recallCaller(token, here)).toBeNull();
});
