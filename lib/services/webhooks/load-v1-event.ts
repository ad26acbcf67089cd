/** The records behind a webhook of format `v1`, read when it is sent (docs/concepts/webhooks.md#format-v1). */
import type { FullEmail, HistoryEntry } from '../../core/email.ts';
import type { Engagement } from '../../core/engagement.ts';
import type { WorkspaceId } from '../../core/ids.ts';
import type { StoredEvent } from '../../core/webhooks/event.ts';
import { isV1EventType, type V1EventType } from '../../core/webhooks/v1-format.ts';
import type { Workspace } from '../../core/workspace.ts';
import { findWorkspaceById } from '../../storage/workspaces.ts';
import { type LinkedAttachment, linkAttachments } from '../attachments/attachment-links.ts';
import { loadEmail } from './load-subject.ts';

/** An event with the records that its body shows. */
export interface V1Event {
  readonly type: V1EventType;
  /** When it happened; Unix milliseconds. */
  readonly at: number;
  readonly email: FullEmail;
  readonly attachments: readonly LinkedAttachment[];
  readonly organization: Pick<Workspace, 'id' | 'slug'>;
  readonly entry: HistoryEntry | null;
  readonly engagement: Engagement | null;
}

/** The records of an event; null where its email is gone. */
export async function loadV1Event(
  workspaceId: WorkspaceId,
  { type, createdAt: at, subject }: StoredEvent,
): Promise<V1Event | null> {
  if (!isV1EventType(type) || subject === null || !('emailId' in subject)) return null;
  const [loaded, organization] = await Promise.all([
    loadEmail(workspaceId, subject),
    findWorkspaceById(workspaceId),
  ]);
  if (!loaded || !organization) return null;
  const { email, entry, engagement } = loaded;
  const attachments = await linkAttachments(workspaceId, email, { withText: false });
  return { type, at, email, attachments, organization, entry, engagement };
}
