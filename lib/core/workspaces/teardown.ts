/**
 * The teardown of a deleted space or of an erased workspace: its phases, and which work follows which
 * (docs/decisions/0047-teardown-of-spaces.md).
 */
import type { SpaceId, WorkspaceId } from '../ids.ts';
import type { DeleteSpace, EraseWorkspace } from '../queue-messages.ts';

/** What is removed of a space, in this order. */
const spacePhases = [
  'domains',
  'mailboxes',
  'pacing-rules',
  'inbound-rules',
  'blocked-emails',
  'drafts',
  'emails',
  'threads',
  'correspondents',
  'suppressions',
  'events',
] as const;

/** What is removed of a workspace: keys first, as they let requests in; last what requests still may have left. */
export const workspacePhases = [
  'keys',
  ...spacePhases,
  'oauth-apps',
  'endpoints',
  'deletions',
  'spaces',
  'objects',
  'tenants',
  'rest',
  'audit',
] as const;
export type TeardownPhase = (typeof workspacePhases)[number];

/** What is torn down: a space, or the workspace with everything in it. */
export type TeardownScope = SpaceId | 'workspace';

/** Progress of a teardown. */
export interface Teardown {
  readonly scope: TeardownScope;
  /** When the space or workspace was deleted; Unix milliseconds. */
  readonly deletedAt: number;
  /** Number of the message that continues it, from 1: a message that arrives again has another one. */
  readonly step: number;
  readonly phase: TeardownPhase;
  /** Position in the list of the phase; null: its beginning. */
  readonly after: string | null;
  /** Records that this pass over all phases has found so far. */
  readonly found: number;
}

/**
 * How long functions that began before the deletion may still write into the space: the longest timeout of a function
 * ("Lambda quotas", AWS Lambda Developer Guide). It is also the longest delay of SQS.
 */
export const writersEndMs = 15 * 60_000;

const phasesOf = (scope: TeardownScope): readonly TeardownPhase[] =>
  scope === 'workspace' ? workspacePhases : spacePhases;

/** A new teardown: domains are removed at once, so that they leave sending. */
export function newTeardown(scope: TeardownScope, atMs: number): Teardown {
  const first = scope === 'workspace' ? 'keys' : 'domains';
  // Requests that have begun may create domains after their phase: a workspace always gets a second pass.
  const found = scope === 'workspace' ? 1 : 0;
  return { scope, deletedAt: atMs, step: 1, phase: first, after: null, found };
}

/** The message that continues a teardown. */
export function teardownMessage(
  workspaceId: WorkspaceId,
  { scope, step }: Pick<Teardown, 'scope' | 'step'>,
): DeleteSpace | EraseWorkspace {
  return scope === 'workspace'
    ? { kind: 'erase-workspace', v: 1, workspaceId, step }
    : { kind: 'delete-space', v: 1, workspaceId, spaceId: scope, step };
}

/** The work that follows. */
export interface NextWork {
  readonly teardown: Teardown;
  /** Unix milliseconds; null: at once. */
  readonly dueAt: number | null;
}

/**
 * What follows a page of a phase; null: the teardown is done. Mail is removed when everybody who may still write it has
 * ended. A pass that has found anything is followed by another one, as indexes lag.
 *
 * @param page.next position of the next page, null after the last one
 */
export function afterPage(
  before: Teardown,
  page: { readonly found: number; readonly next: string | null },
  nowMs: number,
): NextWork | null {
  const found = before.found + page.found;
  if (page.next !== null) return { teardown: { ...before, after: page.next, found }, dueAt: null };
  const phases = phasesOf(before.scope);
  const phase = phases[phases.indexOf(before.phase) + 1];
  if (phase === undefined) {
    if (found === 0) return null;
    const nextPass = { ...newTeardown(before.scope, before.deletedAt), step: before.step, found: 0 };
    return { teardown: nextPass, dueAt: nowMs + writersEndMs };
  }
  const mailAt = before.deletedAt + writersEndMs;
  const dueAt = before.phase === 'mailboxes' && nowMs < mailAt ? mailAt : null;
  return { teardown: { ...before, phase, after: null, found }, dueAt };
}
