import { newId } from '../../lib/adapters/ids.ts';
import type { WorkspaceId } from '../../lib/core/ids.ts';
import type { Requester } from '../../lib/services/sending/accept-email.ts';

/** Who asks for an email, with a key that does not exist. */
export const requesterOf = (workspaceId: WorkspaceId, scope: Requester['scope'] = 'sending'): Requester => ({
  workspaceId,
  actor: newId('key'),
  scope,
});
