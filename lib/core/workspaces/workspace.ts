/** Workspaces and their members. */
import { createHash } from 'node:crypto';
import type { MemberRole } from '../access/access.ts';
import type { MemberId, WorkspaceId } from '../ids.ts';
import type { InboundPolicy } from '../receiving/inbound-policy.ts';

export interface Workspace {
  readonly id: WorkspaceId;
  readonly slug: string;
  readonly name: string;
  /** Unix milliseconds. */
  readonly createdAt: number;
  readonly providedDomain: string | null;
  /** When the operator erased it: what it owns is being removed. Unix milliseconds; null: it is in use. */
  readonly erasedAt: number | null;
}

/** Settings of a workspace, which the operator changes. */
export interface WorkspaceSettings {
  readonly inboundPolicy: InboundPolicy;
  /** Whether every event is stored, also one that no endpoint takes. */
  readonly eventLog: boolean;
  /** Host of the links in the workspace's mail (docs/concepts/tracking.md#own-link-domain); null: that of the API. */
  readonly linkDomain: string | null;
  /** Whether mailboxes are connected through OAuth apps of the workspace only (docs/concepts/mailboxes.md#connecting). */
  readonly requireOwnOauthApp: boolean;
}

export interface Member {
  readonly email: string;
  readonly role: MemberRole;
  /** Whether this member receives outage mail. */
  readonly outageMail: boolean;
  /** Unix milliseconds; null: added by release 0.2.0 or before. */
  readonly createdAt: number | null;
  /** Raised when the member signs out everywhere: sessions and links of another epoch are refused. Unix milliseconds. */
  readonly epoch: number;
}

/** What is chosen about a member. */
export type MemberInput = Pick<Member, 'email' | 'role' | 'outageMail'>;

/** The id of a member, which is the same in all workspaces. */
export function memberId(email: string): MemberId {
  const digest = createHash('sha256').update(email.toLowerCase()).digest('hex');
  return `mem_${digest.slice(0, 32)}` as MemberId;
}

/** 3 to 63 characters, so that a slug is a DNS label (RFC 1123, 2.1) of the provided domain. */
export const slugPattern = /^[a-z0-9](?:[a-z0-9-]{1,61}[a-z0-9])$/;
