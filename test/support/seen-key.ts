/** API keys that the thread of a test has seen. */
import { expect } from 'vitest';
import type { ApiKeyInput } from '../../lib/core/access/api-key.ts';
import { createKey } from '../../lib/services/api-keys/api-keys.ts';
import { authenticate, recallCaller } from '../../lib/services/api-keys/authenticate.ts';
import { workspace } from './workspace.ts';

/** The address of its caller. */
export const here = '192.0.2.1';

/** A key that this thread has seen. */
export async function seenKey(restrictions: Partial<ApiKeyInput> = {}): Promise<string> {
  const { id } = await workspace();
  const { token } = await createKey(id, { name: 'k', scope: 'sending', ...restrictions });
  expect(recallCaller(token, here)).toBeNull();
  expect(await authenticate(token, here)).not.toBeNull();
  return token;
}
