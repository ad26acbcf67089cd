/** The audit log of a workspace: who changed what (docs/concepts/authentication.md#audit-log). */
import type { Actor } from '../access/api-key.ts';

export const auditActions = [
  'key.created',
  'key.deleted',
  'key.used_after_deletion',
  'space.deleted',
  'email.deleted',
  'thread.deleted',
  'oauth_app.created',
  'oauth_app.updated',
  'oauth_app.deleted',
  'mailbox.disconnected',
  'member.added',
  'member.changed',
  'member.removed',
  'member.signed_in',
  'member.signed_out_everywhere',
  'operator.command',
] as const;

export interface AuditEntry {
  /** Unix milliseconds. */
  readonly at: number;
  readonly actor: Actor | 'operator';
  readonly action: (typeof auditActions)[number];
  /** What was changed: the id of a key, space, email or thread, the address of a member, or the operator's command without secrets. */
  readonly subject: string;
}
