/** The message that brings SES in line with a domain that was verified, lost or deleted. */
import type { SendingDomain } from '../../core/domains/sending-domain.ts';
import type { WorkspaceId } from '../../core/ids.ts';
import type { OutboxMessage } from '../../core/queue-messages.ts';

export function syncIdentityMessage(
  workspaceId: WorkspaceId,
  { id: domainId, region, name }: SendingDomain,
): OutboxMessage {
  return { message: { kind: 'sync-identity', v: 1, workspaceId, domainId, region, name, polls: 0 } };
}
