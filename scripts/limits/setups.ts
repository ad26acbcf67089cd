/** Set-up of many domains at SES on virtual time: when each can send, with the turns of `lib/core/domains/setup-line.ts` and without. */
import { pollWaitMs } from '../../lib/core/domains/identity-polls.ts';
import {
  emptyLine,
  leastPollWaitMs,
  nextSetupStep,
  type SetupTurn,
} from '../../lib/core/domains/setup-line.ts';
import { virtualClock } from '../webhooks/virtual-clock.ts';

const second = 1000;
const hour = 3600 * second;

export interface SetupLoad {
  /** Domains that are verified within the first ten minutes. */
  readonly domains: number;
  /** Those of them that send their first email within the first hour. */
  readonly senders: number;
  /** Between two calls of SES in a region; `SES_PAUSE_MS`. */
  readonly pauseMs: number;
  /** How long SES looks for a record. */
  readonly sesMs: number;
}

export interface SetupOutcome {
  readonly calls: number;
  /** Hours until the last domain is set up. */
  readonly lastHours: number;
  /** Minutes from the first email of a domain to its submission, of those that send. */
  readonly medianMinutes: number;
  readonly longestMinutes: number;
}

interface Domain {
  turn: SetupTurn;
  polls: number;
  installedAt: number | null;
  readyAt: number | null;
  sendsAt: number | null;
}

/** @param isOrdered whether domains get turns; else each is worked on when its message comes */
export async function simulateSetups(load: SetupLoad, isOrdered: boolean): Promise<SetupOutcome> {
  const clock = virtualClock(0);
  let line = emptyLine;
  let freeAt = 0;
  let calls = 0;
  const domains = Array.from({ length: load.domains }, (_, at): Domain => {
    const isSender = at % Math.max(1, Math.floor(load.domains / load.senders)) === 0;
    // Spread over the hour in another order than that of verification.
    const sendsAt = isSender ? ((at * 7919) % load.domains) * (hour / load.domains) : null;
    return { ...newDomain, sendsAt };
  });

  /** Calls of SES, one after the other. */
  const call = (times: number, done: () => void): void => {
    calls += times;
    freeAt = Math.max(freeAt, clock.now()) + times * load.pauseMs;
    clock.at(freeAt, done);
  };
  const poll = (domain: Domain): void =>
    call(1, () => {
      if (domain.readyAt !== null) return;
      if (clock.now() >= (domain.installedAt ?? 0) + load.sesMs) {
        domain.readyAt = clock.now();
        return;
      }
      const least = isOrdered ? leastPollWaitMs(line, domain.turn, clock.now()) : 0;
      const waitMs = Math.max(pollWaitMs(domain.polls) ?? hour, least);
      domain.polls += 1;
      clock.at(clock.now() + waitMs, () => poll(domain));
    });
  const install = (domain: Domain): void => {
    if (domain.installedAt !== null) return;
    domain.installedAt = Number.POSITIVE_INFINITY;
    call(2, () => {
      domain.installedAt = clock.now();
      poll(domain);
    });
  };
  const arrive = (domain: Domain): void => {
    if (!isOrdered) install(domain);
    if (domain.installedAt !== null) return;
    const step = nextSetupStep(line, domain.turn, clock.now(), load.pauseMs);
    if (step.kind === 'known') return;
    line = step.line;
    const at = step.kind === 'wait' ? step.at : clock.now();
    domain.turn = { ...domain.turn, at, isAhead: domain.turn.wantedAt !== null };
    if (step.kind === 'go') install(domain);
    else clock.at(at, () => arrive(domain));
  };

  for (const [at, domain] of domains.entries()) {
    clock.at((at * 600 * second) / load.domains, () => arrive(domain));
    const { sendsAt } = domain;
    if (sendsAt === null) continue;
    clock.at(600 * second + sendsAt, () => {
      if (domain.readyAt !== null) return;
      domain.turn = { ...domain.turn, wantedAt: clock.now() };
      if (isOrdered) arrive(domain);
    });
  }
  await clock.run(1000 * hour);
  return outcomeOf(domains, calls);
}

const newDomain: Domain = {
  turn: { at: null, isAhead: false, wantedAt: null },
  polls: 0,
  installedAt: null,
  readyAt: null,
  sendsAt: null,
};

function outcomeOf(domains: readonly Domain[], calls: number): SetupOutcome {
  const ready = domains.map(({ readyAt }) => readyAt ?? Number.POSITIVE_INFINITY);
  const waits = domains
    .flatMap(({ sendsAt, readyAt }) =>
      sendsAt === null ? [] : Math.max(0, (readyAt ?? Number.POSITIVE_INFINITY) - 600 * second - sendsAt),
    )
    .toSorted((a, b) => a - b);
  const minutes = (ms = 0) => ms / 60_000;
  return {
    calls,
    lastHours: Math.max(...ready) / hour,
    medianMinutes: minutes(waits[Math.floor(waits.length / 2)]),
    longestMinutes: minutes(waits.at(-1)),
  };
}
