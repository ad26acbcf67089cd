import { describe, expect, it } from 'vitest';
import {
  emptyLine,
  leastPollWaitMs,
  lineFigures,
  nextSetupStep,
  type SetupLine,
  type SetupTurn,
} from '../../../lib/core/domains/setup-line.ts';

const minute = 60_000;
const pauseMs = 1000;
const now = 1_000_000_000;
const none: SetupTurn = { at: null, isAhead: false, wantedAt: null };
const wanted: SetupTurn = { ...none, wantedAt: now };

/** The line after `number` domains have got a turn. */
function lineOf(number: number, turn = none): SetupLine {
  let line = emptyLine;
  for (let at = 0; at < number; at++) {
    const step = nextSetupStep(line, turn, now, pauseMs);
    if (step.kind !== 'known') line = step.line;
  }
  return line;
}

describe('nextSetupStep', () => {
  it('lets the first domains of a minute go, and gives the next one a turn behind them', () => {
    expect(nextSetupStep(lineOf(15), none, now, pauseMs)).toMatchObject({ kind: 'go' });
    const line = lineOf(16);
    const step = nextSetupStep(line, none, now, pauseMs);
    expect(step).toEqual({ kind: 'wait', at: now + 64_000, line: { ...line, nextAt: now + 68_000 } });
  });

  it('lets a domain whose mail waits go ahead of all others', () => {
    expect(nextSetupStep(lineOf(10_000), wanted, now, pauseMs)).toMatchObject({ kind: 'go' });
    // Also one that has a turn among the others.
    const turn = { ...wanted, at: now + 600 * minute };
    expect(nextSetupStep(lineOf(10_000), turn, now, pauseMs)).toMatchObject({ kind: 'go' });
  });

  it('orders domains whose mail waits by who sends first', () => {
    const line = lineOf(100, wanted);
    const first = nextSetupStep(line, wanted, now, pauseMs);
    if (first.kind !== 'wait') throw new Error(first.kind);
    const second = nextSetupStep(first.line, wanted, now, pauseMs);
    expect([first.at, second.kind === 'wait' && second.at]).toEqual([now + 500_000, now + 505_000]);
  });

  it('knows a domain whose turn is later, and lets it go then', () => {
    const turn = { ...none, at: now + 10 * minute };
    expect(nextSetupStep(lineOf(500), turn, now, pauseMs)).toEqual({ kind: 'known' });
    const line = lineOf(500);
    expect(nextSetupStep(line, turn, turn.at, pauseMs)).toEqual({ kind: 'go', line });
    const ahead = { ...turn, isAhead: true, wantedAt: now };
    expect(nextSetupStep(line, ahead, now, pauseMs)).toEqual({ kind: 'known' });
    expect(nextSetupStep(line, ahead, turn.at, pauseMs)).toEqual({ kind: 'go', line });
  });

  it('puts off a domain whose turn has come for one whose mail has used its time, and no other', () => {
    const ahead = nextSetupStep(lineOf(500), wanted, now, pauseMs);
    if (ahead.kind !== 'go') throw new Error(ahead.kind);
    const later = now + 10 * minute;
    const due = { ...none, at: later };
    const step = nextSetupStep(ahead.line, due, later, pauseMs);
    expect(step).toMatchObject({ kind: 'wait', at: ahead.line.nextAt });
    if (step.kind !== 'wait') throw new Error(step.kind);
    expect(nextSetupStep(step.line, due, later, pauseMs)).toMatchObject({ kind: 'go', line: step.line });
  });

  it('lets all go where SES takes any number of calls', () => {
    const line = lineOf(1000);
    expect(nextSetupStep(line, none, now, 0)).toMatchObject({ kind: 'wait' });
    let free = emptyLine;
    for (let at = 0; at < 1000; at++) {
      const step = nextSetupStep(free, none, now, 0);
      expect(step.kind).toBe('go');
      if (step.kind === 'go') free = step.line;
    }
  });
});

describe('leastPollWaitMs', () => {
  it('is minutes while others wait for their set-up, less where mail waits', () => {
    expect(leastPollWaitMs(lineOf(15), none, now)).toBe(0);
    expect(leastPollWaitMs(lineOf(100), none, now)).toBe(10 * minute);
    expect(leastPollWaitMs(lineOf(100, wanted), none, now)).toBe(10 * minute);
    expect(leastPollWaitMs(lineOf(100), wanted, now)).toBe(1.5 * minute);
    expect(leastPollWaitMs(lineOf(100), none, now + 100 * 5000)).toBe(0);
  });
});

describe('lineFigures', () => {
  it('counts those that wait, and says when the last one has its turn', () => {
    expect(lineFigures(emptyLine, now, pauseMs)).toEqual({ waiting: 0, ahead: 0, lastAt: null });
    const line = lineOf(10_000);
    expect(lineFigures(line, now, pauseMs)).toEqual({ waiting: 10_000, ahead: 0, lastAt: now + 40_000_000 });
    const ahead = lineOf(7, wanted);
    expect(lineFigures(ahead, now, pauseMs)).toEqual({ waiting: 9, ahead: 7, lastAt: now + 35_000 });
  });
});
