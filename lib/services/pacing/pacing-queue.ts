/** The queue of held emails as the API shows it, and releases by hand (docs/concepts/pacing.md#queue). */
import { now } from '../../adapters/clock.ts';
import type { EmailId, WorkspaceId } from '../../core/ids.ts';
import { type HeldEmail, heldPosition } from '../../core/pacing/held.ts';
import type { Projection } from '../../core/pacing/project.ts';
import { matchingRules, type PacingRule } from '../../core/pacing/rule.ts';
import { findEmails } from '../../storage/emails/email-heads.ts';
import { findHeld, listHeld, listInbox, releaseHeld, reportLeft } from '../../storage/pacing/held-emails.ts';
import { findPacer } from '../../storage/pacing/pacer-states.ts';
import { loadRules } from '../../storage/pacing/pacing-rules.ts';
import { commitIfUnchanged } from '../../storage/table/transactions.ts';
import { findDeletedSpaces, isDeleted } from '../../storage/workspaces/deleted-spaces.ts';
import { paceMailMessage } from './pace-mail-message.ts';
import type { projectQueue } from './project-queue.ts';

export interface QueuedEmail extends Projection {
  readonly email: HeldEmail;
}

export interface PacingQueue {
  /** The oldest held emails. */
  readonly emails: readonly QueuedEmail[];
  /** All that are held. */
  readonly total: number;
  readonly asOf: number;
  /** How many of `emails` each rule matches, and how many it holds. */
  readonly rules: readonly { readonly rule: PacingRule; readonly matched: number; readonly held: number }[];
}

/** Entries of the inbox of the pacer that a request reads. */
const inboxRead = 1000;

/** An empty queue does not load the tree of the rules. */
const project: typeof projectQueue = async (...given) => {
  const queue = await import('./project-queue.ts');
  return await queue.projectQueue(...given);
};

/** The oldest held emails with what happens to them if nothing changes. */
export async function readQueue(workspaceId: WorkspaceId, limit: number): Promise<PacingQueue> {
  const [{ items, isAll }, rules, deleted] = await Promise.all([
    listHeld(workspaceId, '', limit),
    loadRules(workspaceId),
    findDeletedSpaces(workspaceId),
  ]);
  const held = items.filter(({ spaceId }) => !isDeleted(deleted, spaceId));
  const total = isAll ? held.length : Math.max(items.length + 1, await countHeld(workspaceId));
  const asOf = now();
  const projections = held.length === 0 ? [] : await project(workspaceId, rules, held, asOf);
  const emails = held.flatMap((email, at) => {
    const projection = projections[at];
    return projection ? [{ email, ...projection }] : [];
  });
  const counts = rules.rules.map((rule) => ({
    rule,
    matched: held.filter((email) => matchingRules({ rules: [rule] }, email).length > 0).length,
    held: emails.filter(({ heldBy }) => heldBy.ruleId === rule.id).length,
  }));
  return { emails, total, asOf, rules: counts };
}

/** As the pacer has counted, with what it has not seen yet. A queue of any length costs the same. */
async function countHeld(workspaceId: WorkspaceId): Promise<number> {
  const [{ held }, inbox] = await Promise.all([findPacer(workspaceId), listInbox(workspaceId, inboxRead)]);
  const arrived = inbox.filter(({ position }) => position !== null).length;
  const left = inbox.filter((entry) => entry.left?.wasHeld).length;
  return held + arrived - left;
}

/** Emails that one transaction releases. */
const releasedAtOnce = 30;

/**
 * Releases held emails, whatever their rules.
 *
 * @param isCounted whether they use up allowance
 * @returns those that were held
 */
export async function releaseByHand(
  workspaceId: WorkspaceId,
  ids: readonly EmailId[],
  isCounted: boolean,
): Promise<readonly EmailId[]> {
  const heads = await findEmails(workspaceId, [...new Set(ids)]);
  const positions = heads.flatMap((head) => (head ? [heldPosition(head)] : []));
  const held = (await findHeld(workspaceId, positions)).flatMap((email) => email ?? []);
  const released: EmailId[] = [];
  for (let start = 0; start < held.length; start += releasedAtOnce) {
    const some = held.slice(start, start + releasedAtOnce);
    if (await release(workspaceId, some, isCounted)) released.push(...some.map(({ emailId }) => emailId));
    else {
      for (const one of some) if (await release(workspaceId, [one], isCounted)) released.push(one.emailId);
    }
  }
  return released;
}

async function release(
  workspaceId: WorkspaceId,
  emails: readonly HeldEmail[],
  isCounted: boolean,
): Promise<boolean> {
  return await commitIfUnchanged(
    workspaceId,
    emails.flatMap(({ position, spaceId, from, to }) => [
      releaseHeld(workspaceId, position),
      reportLeft(workspaceId, position, { message: { spaceId, from, to }, wasHeld: true, isCounted }),
    ]),
    [...emails.map(({ message }) => ({ message })), { message: paceMailMessage(workspaceId) }],
  );
}
