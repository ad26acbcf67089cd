/**
 * The submissions of one mailbox in memory: the table, the queue and the provider. Workers run side by side and stop before each
 * port; a seeded generator decides who goes on, who dies, and which message comes twice.
 */

import { newClaim, type SubmissionChunk } from '../../lib/core/emails/submission.ts';
import { composeId } from '../../lib/core/ids.ts';
import { ProviderError, type ProviderFailure } from '../../lib/core/mailboxes/provider.ts';
import {
  submissionPosition,
  type WaitingSubmission,
  waitMsMax,
} from '../../lib/core/mailboxes/waiting-submission.ts';
import { type CallResult, type SubmitPorts, submitChunk } from '../../lib/services/mailboxes/submit-chunk.ts';

class Killed extends Error {}

/** How a call of the provider ends. `unsent`: nothing is known of a message that was not sent; `unheard`: of one that was. */
export type CallOutcome =
  | 'sent'
  | 'unsent'
  | 'unheard'
  | { readonly kind: ProviderFailure; readonly isCalled?: boolean; readonly retryAfterMs?: number };

export interface Submission {
  /** When its first message comes. */
  readonly queuedAt: number;
  chunk: SubmissionChunk | null;
  /** Copies that the provider has sent. */
  copies: number;
  /** Steps of the world: its first message came, it was held first, it was sent, it ended. */
  readonly steps: { begun?: number; held?: number; sent?: number; ended?: number };
  endedAt: number | null;
  reason: string | null;
}

interface Options {
  /** Of the first message of each submission. */
  readonly queuedAt: readonly number[];
  /** @param number of the submission @param at Unix milliseconds */
  readonly call: (number: number, at: number) => CallOutcome;
  readonly random: () => number;
  /** Chance of a worker to die before a port, and of a message to come twice. */
  readonly killed?: number;
  readonly repeated?: number;
}

interface Message {
  readonly number: number;
  readonly at: number;
}

/** Workers at the same time ("Maximum concurrency" of the event source). */
const workersMax = 12;
/** Of the queue. */
const visibilityMs = 900_000;
const stepsMax = 200_000;

export function memorySubmissions(options: Options) {
  const { random, killed = 0, repeated = 0 } = options;
  const submissions: Submission[] = options.queuedAt.map((queuedAt) => ({
    queuedAt,
    chunk: null,
    copies: 0,
    steps: {},
    endedAt: null,
    reason: null,
  }));
  const waiting = new Map<string, WaitingSubmission>();
  const queue: Message[] = submissions.map(({ queuedAt: at }, number) => ({ number, at }));
  const parked: (() => void)[] = [];
  const lost = new Set<number>();
  const state = { now: Math.min(...options.queuedAt), step: 0, running: 0, isConnected: true };
  const positionOf = (number: number): string => {
    const id = composeId('eml', 1 + number, new Uint8Array(10));
    return submissionPosition({ id, createdAt: submissions[number]?.queuedAt ?? 0, scheduledAt: null }, 0);
  };
  const numberOf = (position: string) =>
    submissions.findIndex((_, number) => positionOf(number) === position);
  const push = (message: Message) => {
    queue.push(message);
    if (random() < repeated) queue.push(message);
  };
  const port = async () => {
    await new Promise<void>((resume) => parked.push(resume));
    if (random() < killed) throw new Killed();
  };
  const stepper = { state, submissions, waiting, push, port, positionOf, numberOf, ...options };

  const work = async (message: Message) => {
    state.running += 1;
    const own = submissions[message.number];
    if (!own) throw new Error('there is no such submission');
    own.steps.begun ??= state.step;
    const completed = own.chunk !== null && own.chunk.state !== 'claimed';
    try {
      const at = await submitChunk(
        portsOf(stepper, message.number, own),
        completed ? 'completed' : own.chunk,
      );
      await port();
      if (at !== null) push({ number: message.number, at });
    } catch (error) {
      if (!(error instanceof Killed)) throw error;
      queue.push({ ...message, at: state.now + visibilityMs });
    }
    state.running -= 1;
  };

  return {
    submissions,
    waiting,
    state,
    call: (number: number, at = state.now) => queue.push({ number, at }),
    /** From now on, messages of the submission end in the dead letters. */
    lose: (number: number) => void lost.add(number),
    /** Runs until nothing is left to do, or a time. */
    async run(until = Number.POSITIVE_INFINITY): Promise<void> {
      const failures: unknown[] = [];
      for (; state.step < stepsMax && failures.length === 0; state.step++) {
        await new Promise(setImmediate);
        const due = state.running < workersMax ? queue.filter(({ at }) => at <= state.now) : [];
        const choice = Math.floor(random() * (parked.length + due.length));
        const message = due[choice - parked.length];
        if (choice < parked.length) parked.splice(choice, 1)[0]?.();
        else if (message) {
          queue.splice(queue.indexOf(message), 1);
          if (lost.has(message.number)) continue;
          work(message).catch((error: unknown) => failures.push(error));
        } else {
          const next = Math.min(...queue.map(({ at }) => at));
          if (next === Number.POSITIVE_INFINITY || next > until) return;
          state.now = next;
        }
      }
      throw failures[0] ?? new Error(`more than ${stepsMax} steps`);
    },
  };
}

type World = Options & {
  readonly state: { now: number; readonly step: number; readonly isConnected: boolean };
  readonly submissions: readonly Submission[];
  readonly waiting: Map<string, WaitingSubmission>;
  push(message: Message): void;
  port(): Promise<void>;
  positionOf(number: number): string;
  numberOf(position: string): number;
};

function portsOf(world: World, number: number, own: Submission): SubmitPorts {
  const { state, waiting, port, push, random } = world;
  const holds = (claim: SubmissionChunk) =>
    own.chunk?.state === 'claimed' && own.chunk.attempt === claim.attempt;
  const end = (claim: SubmissionChunk, outcome: 'accepted' | 'refused') => {
    if (!holds(claim)) return;
    own.chunk = { ...claim, state: outcome, completedAt: state.now };
    own.steps.ended = state.step;
    own.endedAt = state.now;
  };
  return {
    ...turnPortsOf(world, number),
    random,
    async isSuspended() {
      await port();
      return false;
    },
    async findSent({ claimedAt: sinceMs }) {
      await port();
      if (sinceMs <= 0) throw new Error('no provider takes such a time');
      return { found: own.copies > 0 ? { id: 'sent', threadId: 'thread' } : null };
    },
    async claim(before) {
      await port();
      const isUnchanged = before === null ? own.chunk === null : holds(before);
      if (!isUnchanged) return null;
      const attempt = (before?.attempt ?? 0) + 1;
      const recipients = ['anna@example.test'];
      own.chunk = newClaim({ number: 0, of: 1, recipients, attempt, claimedAt: state.now, region: 'mbx' });
      return own.chunk;
    },
    async send(): Promise<CallResult> {
      await port();
      const result = callOf(world, number, own);
      // The answer of a worker that dies is lost.
      await port();
      return result;
    },
    async accept(claim) {
      await port();
      end(claim, 'accepted');
    },
    async refuse(claim, reason) {
      await port();
      if (holds(claim)) own.reason = reason;
      end(claim, 'refused');
    },
    async noteUnconfirmed() {
      await port();
    },
    async hold(claim, { message: reason }, entry) {
      await port();
      if (!holds(claim)) return false;
      own.chunk = { ...claim, reason, claimedAt: 0 };
      own.steps.held ??= state.step;
      waiting.set(entry.position, entry);
      push({ number, at: entry.dueAt });
      return true;
    },
    complete: port,
  };
}

function turnPortsOf(
  { state, waiting, port, push, positionOf, numberOf }: World,
  number: number,
): Omit<
  SubmitPorts,
  | 'random'
  | 'isSuspended'
  | 'findSent'
  | 'claim'
  | 'send'
  | 'accept'
  | 'refuse'
  | 'noteUnconfirmed'
  | 'hold'
  | 'complete'
> {
  const position = positionOf(number);
  return {
    own: { position, emailId: composeId('eml', 1 + number, new Uint8Array(10)), chunk: 0 },
    now: () => state.now,
    async findFirst() {
      await port();
      const [first] = [...waiting.keys()].sort();
      return first === undefined ? null : (waiting.get(first) ?? null);
    },
    async findOwn() {
      await port();
      return waiting.get(position) ?? null;
    },
    async join(entry, before) {
      await port();
      if (!waiting.has(before.position)) return false;
      waiting.set(entry.position, entry);
      push({ number, at: entry.since + waitMsMax });
      return true;
    },
    async remove(at) {
      await port();
      waiting.delete(at);
    },
    async call(next) {
      await port();
      push({ number: numberOf(next.position), at: state.now });
    },
    async isConnected() {
      await port();
      return state.isConnected;
    },
  };
}

function callOf({ state, call }: World, number: number, own: Submission): CallResult {
  const outcome = state.isConnected
    ? call(number, state.now)
    : { kind: 'unauthorized' as const, isCalled: false };
  if (outcome === 'sent' || outcome === 'unheard') {
    own.copies += 1;
    own.steps.sent = state.step;
  }
  if (outcome === 'sent') return { sent: { id: 'sent', threadId: 'thread' } };
  const {
    kind,
    isCalled = true,
    retryAfterMs = null,
  } = typeof outcome === 'string' ? { kind: 'unknown' as const } : outcome;
  return { failure: new ProviderError(kind, `It is ${kind}.`, { retryAfterMs }), isCalled };
}
