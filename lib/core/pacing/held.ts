/** Held emails, and the tree in which they wait (docs/decisions/0048-pacing.md#the-tree). */
import { createHash } from 'node:crypto';
import type { EmailHead } from '../emails/email.ts';
import { type EmailId, parseId } from '../ids.ts';
import type { QueueMessage } from '../queue-messages.ts';
import type { Constraint, PacedMessage } from './rule.ts';
import type { Slots } from './slots.ts';

/** Sorts held emails by the time at which they were queued. */
export type HeldPosition = `${string}#${EmailId}`;

/** The position, or null where `text` is none. */
export function parsePosition(text: string): HeldPosition | null {
  return text[15] === '#' && /^\d{15}$/.test(text.slice(0, 15)) && parseId('eml', text.slice(16))
    ? (text as HeldPosition)
    : null;
}

/** The position of an email; a scheduled one is queued at its time. */
export function heldPosition({
  id,
  createdAt,
  scheduledAt,
}: Pick<EmailHead, 'id' | 'createdAt' | 'scheduledAt'>): HeldPosition {
  return `${String(Math.max(createdAt, scheduledAt ?? 0)).padStart(15, '0')}#${id}`;
}

/** The key of the inbox entry of a held email: the pacer has not sorted it yet. */
export const arrivalKey = (position: HeldPosition): string => `H#${position}`;

/** When an email was queued; Unix milliseconds. */
export const queuedAt = (position: HeldPosition): number => Number(position.slice(0, 15));

/** What the release of a held email needs. */
export interface HeldRef {
  readonly emailId: EmailId;
  /** Whether it uses up the allowance of its rules. */
  readonly isCounted: boolean;
  /** Sent when the email leaves: with it, the outbound pipeline goes on. */
  readonly message: QueueMessage;
}

/** A held email as its rules see it. */
export interface PacedEmail extends HeldRef, PacedMessage {
  readonly position: HeldPosition;
}

export interface HeldEmail extends PacedEmail {
  readonly subject: string;
  readonly fromName: string | null;
  /** The recipients that the queue shows. */
  readonly shownTo: readonly string[];
}

/** A node of the tree: everything in it waits for the same constraints. */
export type NodeId = string;
export const rootNode: NodeId = 'root';

/** The node in `parent` of what waits for `constraints`. */
export function nodeIn(parent: NodeId, constraints: readonly Constraint[]): NodeId {
  const text = JSON.stringify([parent, ...constraints.map(({ ruleId, value }) => [ruleId, value])]);
  return createHash('sha256').update(text).digest('base64url').slice(0, 22);
}

/** An entry of a node: an email, or a node with at least one email. */
export interface NodeEntry {
  /** The node that has the entry. */
  readonly node: NodeId;
  /** No email in it can leave earlier; null: one may leave now. Unix milliseconds. */
  readonly dueAt: number | null;
  /** Of its oldest email; for a node it may be too old until the node is looked at. */
  readonly position: HeldPosition;
  /** The id of the node; null for an email. */
  readonly child: NodeId | null;
  /** The email, with the node in which it was put first; null for a node. */
  readonly email: (HeldRef & { readonly home: NodeId }) | null;
  /** What the entry waits for beside what its node waits for. */
  readonly constraints: readonly Constraint[];
}

/** Sorts the entries of a node: those that may be ready by age, then those that are not by time. */
export function entryKey({ dueAt, position, child }: NodeEntry): string {
  const state = dueAt === null ? readyPrefix : `${laterPrefix}${String(dueAt).padStart(15, '0')}#`;
  return `${state}${position}#${child ?? ''}`;
}
export const readyPrefix = 'READY#';
export const laterPrefix = 'LATER#';

/** The state of a scope value of a limit. */
export interface ScopeState {
  /** null: nothing has left yet. */
  readonly slots: Slots | null;
  /** Number of emails in the tree of `treeVersion` that wait for it. */
  readonly waiting: number;
  readonly treeVersion: number;
}

export const unusedScope: ScopeState = { slots: null, waiting: 0, treeVersion: 0 };

export const constraintKey = ({ ruleId, value }: Constraint): string => `${ruleId} ${value}`;
