/** The records behind a webhook of format `v1`, read when it is sent (docs/concepts/webhooks.md#format-v1). */
import type { HistoryEntry } from '../../core/emails/email.ts';
import type { WorkspaceId } from '../../core/ids.ts';
import type { Engagement } from '../../core/tracking/engagement.ts';
import type { StoredEvent } from '../../core/webhooks/event.ts';
import { isV1EventType, type V1EventType } from '../../core/webhooks/v1-format.ts';
import type { Workspace } from '../../core/workspaces/workspace.ts';
import { findWorkspaceById } from '../../storage/workspaces/workspaces.ts';
import { type LinkedV1Email, linkV1Email } from '../reading/v1-emails.ts';
import { loadEmail } from './load-subject.ts';

/** An event with the records that its body shows. */
export interface V1Event extends LinkedV1Email {
  readonly type: V1EventType;
  /** When it happened; Unix milliseconds. */
  readonly at: number;
  readonly organization: Pick<Workspace, 'id' | 'slug'>;
  readonly entry: HistoryEntry | null;
  readonly engagement: Engagement | null;
}

/** The records of an event; null where its email is gone. */
export async function loadV1Event(
  workspaceId: WorkspaceId,
  { type, createdAt: at, subject }: StoredEvent,
): Promise<V1Event | null> {
  if (!isV1EventType(type) || !('emailId' in subject)) return null;
  const [loaded, organization] = await Promise.all([
    loadEmail(workspaceId, subject),
    findWorkspaceById(workspaceId),
  ]);
  if (!loaded || !organization) return null;
  const { email, entry, engagement } = loaded;
  return { ...(await linkV1Email(workspaceId, email)), type, at, organization, entry, engagement };
}
