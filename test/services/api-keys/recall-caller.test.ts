/** Keys that a function recalls (docs/decisions/0047-teardown-of-spaces.md#erased-workspaces). */
import { expect, it } from 'vitest';
import type { ApiKeyInput } from '../../../lib/core/access/api-key.ts';
import { createKey } from '../../../lib/services/api-keys/api-keys.ts';
import { authenticate, recallCaller } from '../../../lib/services/api-keys/authenticate.ts';
import { workspace } from '../../support/workspace.ts';

const here = '192.0.2.1';

/** A key that this thread has seen. */
async function seenKey(restrictions: Partial<ApiKeyInput> = {}): Promise<string> {
  const { id } = await workspace();
  const { token } = await createKey(id, { name: 'k', scope: 'sending', ...restrictions });
  expect(recallCaller(token, here)).toBeNull();
  expect(await authenticate(token, here)).not.toBeNull();
  return token;
}

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
