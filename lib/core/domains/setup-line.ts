/**
 * The order in which domains are set up at SES, which takes one management call a second for each region ("Service quotas in Amazon
 * SES"): those whose mail waits, by who sends first, then the others, by who was verified first.
 */
import { longPollMs } from './identity-polls.ts';

/** Calls of a set-up: identity, MAIL FROM domain, and looks whether SES has verified it, of which mail that waits takes one more. */
const callsOfSetup = { ahead: 5, others: 4 };

/** Set-ups within this time are not apart: their calls wait for each other in the worker. */
const togetherMs = 60_000;

/** The line of a region. Times are Unix milliseconds, in the past where nobody waits. */
export interface SetupLine {
  /** The next free turn of domains without mail. */
  readonly nextAt: number;
  /** That of domains whose mail waits. */
  readonly nextWantedAt: number;
  /** Time that domains whose mail waits have taken from the others. */
  readonly owedMs: number;
  /** Raised by each change; writers compare it. */
  readonly version: number;
}

export const emptyLine: SetupLine = { nextAt: 0, nextWantedAt: 0, owedMs: 0, version: 0 };

/** What is known of a domain that is to be set up. */
export interface SetupTurn {
  /** Its turn; Unix milliseconds. null: it has none. */
  readonly at: number | null;
  /** Whether it got the turn because its mail waits. */
  readonly isAhead: boolean;
  /** When mail of it was first kept waiting; null: none is. */
  readonly wantedAt: number | null;
}

export type SetupStep =
  /** It is the domain's turn. `line` is changed where it got the turn now. */
  | { readonly kind: 'go'; readonly line: SetupLine }
  /** Another message comes at its turn. */
  | { readonly kind: 'known' }
  /** It got a turn: at that time it comes again. */
  | { readonly kind: 'wait'; readonly at: number; readonly line: SetupLine };

/**
 * What a message about a domain that SES does not know leads to. A domain whose turn has come goes to the end of the line where one
 * whose mail waits has used that time.
 *
 * @param pauseMs between two calls in a region
 */
export function nextSetupStep(line: SetupLine, turn: SetupTurn, nowMs: number, pauseMs: number): SetupStep {
  const soon = nowMs + togetherMs;
  const isAhead = turn.wantedAt !== null;
  const costMs = callsOfSetup[isAhead ? 'ahead' : 'others'] * pauseMs;
  const holds = turn.at !== null && turn.isAhead === isAhead;
  if (holds && (turn.at ?? 0) > soon) return { kind: 'known' };
  const givesWay = holds && !isAhead && line.owedMs > 0 && line.owedMs >= costMs;
  if (holds && !givesWay) return { kind: 'go', line };
  const at = isAhead ? Math.max(nowMs, line.nextWantedAt) : Math.max(nowMs, line.nextAt, line.nextWantedAt);
  const taken = isAhead
    ? { nextWantedAt: at + costMs, owedMs: line.nextAt > soon ? line.owedMs + costMs : 0 }
    : { nextAt: at + costMs, owedMs: line.owedMs - (givesWay ? costMs : 0) };
  const after = { ...line, ...taken };
  return at <= soon ? { kind: 'go', line: after } : { kind: 'wait', at, line: after };
}

/** The least wait before SES is asked again about a domain: while others wait for their set-up, looks take their time. */
export function leastPollWaitMs(
  { nextAt, nextWantedAt }: SetupLine,
  { wantedAt }: SetupTurn,
  nowMs: number,
): number {
  if (Math.max(nextAt, nextWantedAt) <= nowMs + togetherMs) return 0;
  return wantedAt === null ? longPollMs.others : longPollMs.ahead;
}

/** The turns that are given, those of domains whose mail waits among them, and when the last one is. Unix milliseconds; null: nobody waits. */
export function lineFigures(
  { nextAt, nextWantedAt }: SetupLine,
  nowMs: number,
  pauseMs: number,
): { readonly waiting: number; readonly ahead: number; readonly lastAt: number | null } {
  const turnsUntil = (at: number, kind: keyof typeof callsOfSetup) =>
    Math.max(0, Math.ceil((at - nowMs) / Math.max(1, callsOfSetup[kind] * pauseMs)));
  const lastAt = Math.max(nextAt, nextWantedAt);
  return {
    waiting: turnsUntil(lastAt, 'others'),
    ahead: turnsUntil(nextWantedAt, 'ahead'),
    lastAt: lastAt > nowMs ? lastAt : null,
  };
}
