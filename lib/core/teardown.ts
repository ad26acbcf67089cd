/** The teardown of a deleted space: its phases, and which work follows which (docs/decisions/0047-teardown-of-spaces.md). */
import type { SpaceId, WorkspaceId } from './ids.ts';
import type { DeleteSpace } from './queue-messages.ts';

/** What is removed, in this order. */
export const teardownPhases = ['domains', 'emails', 'threads', 'suppressions', 'events'] as const;
export type TeardownPhase = (typeof teardownPhases)[number];

/** Progress of a teardown. */
export interface Teardown {
  readonly spaceId: SpaceId;
  /** When the space was deleted; Unix milliseconds. */
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

/** A new teardown: domains are removed at once, so that they leave sending. */
export function newTeardown(spaceId: SpaceId, atMs: number): Teardown {
  return { spaceId, deletedAt: atMs, step: 1, phase: 'domains', after: null, found: 0 };
}

/** The message that continues a teardown. */
export function teardownMessage(workspaceId: WorkspaceId, { spaceId, step }: Teardown): DeleteSpace {
  return { kind: 'delete-space', v: 1, workspaceId, spaceId, step };
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
  const phase = teardownPhases[teardownPhases.indexOf(before.phase) + 1];
  if (phase === undefined) {
    if (found === 0) return null;
    const again = { ...before, phase: teardownPhases[0], after: null, found: 0 };
    return { teardown: again, dueAt: nowMs + writersEndMs };
  }
  const mailAt = before.deletedAt + writersEndMs;
  const dueAt = before.phase === 'domains' && nowMs < mailAt ? mailAt : null;
  return { teardown: { ...before, phase, after: null, found }, dueAt };
}
