/** The audit log of a workspace: who changed what (docs/concepts/authentication.md#audit-log). */
import type { KeyId } from '../ids.ts';

export const auditActions = [
  'key.created',
  'key.deleted',
  'key.used_after_deletion',
  'space.deleted',
  'oauth_app.created',
  'oauth_app.updated',
  'oauth_app.deleted',
  'mailbox.disconnected',
  'operator.command',
] as const;

export interface AuditEntry {
  /** Unix milliseconds. */
  readonly at: number;
  readonly actor: KeyId | 'operator';
  readonly action: (typeof auditActions)[number];
  /** What was changed: the id of a key or space, or the operator's command without secrets. */
  readonly subject: string;
}
