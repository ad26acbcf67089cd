/** Pacing of an email that is accepted: whether rules hold it, and what they make of it (docs/concepts/pacing.md). */
import { now } from '../../adapters/clock.ts';
import type { EmailHead, PacingOptions } from '../../core/emails/email.ts';
import { composeId, type WorkspaceId } from '../../core/ids.ts';
import { constraintKey, heldPosition } from '../../core/pacing/held.ts';
import { type Projection, project } from '../../core/pacing/project.ts';
import {
  allConstraints,
  constraintsOf,
  matchingRules,
  type PacedMessage,
  type PacingRule,
  type RuleSet,
} from '../../core/pacing/rule.ts';
import type { OutboxMessage, QueueMessage } from '../../core/queue-messages.ts';
import { Recent } from '../../core/work/recent.ts';
import { holdEmail, listHeld, listInbox, reportLeft } from '../../storage/pacing/held-emails.ts';
import { loadAllRules } from '../../storage/pacing/pacing-rules.ts';
import { findScopes } from '../../storage/pacing/pacing-tree.ts';
import type { Write } from '../../storage/table/transactions.ts';
import { heldEmail } from './held-email.ts';
import { paceMailMessage } from './pace-mail-message.ts';
import { projectQueue } from './project-queue.ts';

/** The version of the rules, as acceptance reads it with the sending guard. */
export type RulesVersion = Pick<RuleSet, 'version' | 'spread'>;

/** What pacing makes of an email. */
export interface PacingPlan {
  /** null: it is not held. */
  readonly projection: Projection | null;
  /** Writes and messages of the acceptance. @param send lets the email go on */
  commitWith(
    head: EmailHead,
    send: QueueMessage,
  ): { readonly writes: readonly Write[]; readonly messages: readonly OutboxMessage[] };
}

const known = new Recent<WorkspaceId, RuleSet>();

/** The rules of a version, read once. */
async function rulesOf(workspaceId: WorkspaceId, { version, spread }: RulesVersion): Promise<RuleSet> {
  const last = known.get(workspaceId);
  // A read of another request may be newer.
  if (last && last.version >= version) return last;
  const rules = { version, spread, rules: await loadAllRules(workspaceId) };
  known.set(workspaceId, rules);
  return rules;
}

/** What pacing makes of an email; null: no rule matches, and it goes on at once. */
export async function planPacing(
  workspaceId: WorkspaceId,
  version: RulesVersion,
  message: PacedMessage,
  { skip, count }: PacingOptions,
): Promise<PacingPlan | null> {
  const rules = await rulesOf(workspaceId, version);
  const matching = matchingRules(rules, message);
  if (matching.length === 0) return null;
  if (skip) return count ? passBy(workspaceId, message) : null;
  const constraints = allConstraints(constraintsOf(matching, message));
  const waitsFor = constraints.map(constraintKey);
  return {
    projection: await projectionOf(workspaceId, rules, matching, message),
    commitWith: (head, send) => ({
      writes: holdEmail(workspaceId, heldEmail(head, message, { count }, send), waitsFor),
      messages: [{ message: paceMailMessage(workspaceId) }],
    }),
  };
}

/** An email that passes the rules by, and counts. */
function passBy(workspaceId: WorkspaceId, message: PacedMessage): PacingPlan {
  return {
    projection: null,
    commitWith: (head, send) => ({
      writes: [reportLeft(workspaceId, heldPosition(head), { message, wasHeld: false, isCounted: true })],
      messages: [{ message: send }, { message: paceMailMessage(workspaceId) }],
    }),
  };
}

/** Emails that are not in the tree yet, of which a projection takes account. */
const inboxRead = 500;

/** Of an id that sorts after those of the same millisecond. */
const lastBytes = new Uint8Array(10).fill(255);

/** Held emails with which a send under several limits is projected. */
const projectedMax = 200;

/** The projection behind all held emails; null: there are too many. An email that waits for one limit lets others pass at another. */
async function projectTogether(
  workspaceId: WorkspaceId,
  rules: RuleSet,
  message: PacedMessage,
): Promise<Projection | null> {
  const { items, isAll } = await listHeld(workspaceId, '', projectedMax);
  if (!isAll) return null;
  const nowMs = now();
  const id = composeId('eml', nowMs, lastBytes);
  const position = heldPosition({ id, createdAt: nowMs, scheduledAt: null });
  const next = { ...message, position, emailId: id, isCounted: true, message: paceMailMessage(workspaceId) };
  return (await projectQueue(workspaceId, rules, [...items, next], nowMs)).at(-1) ?? null;
}

async function projectionOf(
  workspaceId: WorkspaceId,
  rules: RuleSet,
  matching: readonly PacingRule[],
  message: PacedMessage,
): Promise<Projection> {
  const limits = matching.flatMap((rule) => (rule.kind === 'limit' ? [rule] : []));
  const limited = allConstraints(constraintsOf(limits, message));
  if (limited.length > 1) {
    const together = await projectTogether(workspaceId, rules, message);
    if (together) return together;
  }
  const [states, inbox] = await Promise.all([
    findScopes(workspaceId, limited),
    listInbox(workspaceId, inboxRead),
  ]);
  const arriving = new Map<string, number>();
  for (const key of inbox.flatMap(({ waitsFor }) => waitsFor))
    arriving.set(key, (arriving.get(key) ?? 0) + 1);
  const awaited = limited.flatMap((constraint, at) => {
    const limit = limits.find(({ id }) => id === constraint.ruleId)?.limit;
    if (!limit) return [];
    const state = states[at];
    const key = constraintKey(constraint);
    const waiting = state?.treeVersion === rules.version ? state.waiting : 0;
    const pace = { amount: limit.amount, perSeconds: limit.perSeconds, spread: rules.spread, seed: key };
    const ahead = waiting + (arriving.get(key) ?? 0);
    return [{ ruleId: constraint.ruleId, pace, slots: state?.slots ?? null, ahead }];
  });
  return project(matching, awaited, now());
}
