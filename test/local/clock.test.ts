import { describe, expect, it, onTestFinished } from 'vitest';
import { createClock } from '../../lib/local/clock.ts';

function clockForTest() {
  const clock = createClock();
  onTestFinished(clock.close);
  return clock;
}

describe('createClock', () => {
  it('advances and shares the skew', async () => {
    const clock = clockForTest();
    const before = clock.now();
    await clock.advance(86_400_000);
    expect(clock.now() - before).toBeGreaterThanOrEqual(86_400_000);
    expect(new Float64Array(clock.skew)[0]).toBeGreaterThan(86_390_000);
  });

  it('moves by whole milliseconds, as the system clock', async () => {
    const clock = clockForTest();
    const seen: number[] = [];
    clock.at(clock.now() + 1000.3, () => seen.push(clock.now()));
    await clock.advance(5000.7);
    expect([...seen, clock.now()].filter((at) => !Number.isInteger(at))).toEqual([]);
    expect(seen).toHaveLength(1);
  });

  it('fires timers in order, each at its own time', async () => {
    const clock = clockForTest();
    const start = clock.now();
    const fired: [string, number][] = [];
    const note = (name: string) => () => fired.push([name, Math.floor((clock.now() - start) / 60_000)]);
    clock.at(start + 180_000, note('third'));
    clock.at(start + 60_000, note('first'));
    clock.at(start + 120_000, note('second'));
    clock.at(start + 600_000, note('too late'));
    await clock.advance(300_000);
    expect(fired).toEqual([
      ['first', 1],
      ['second', 2],
      ['third', 3],
    ]);
  });

  it('fires timers set by timers during a move', async () => {
    const clock = clockForTest();
    const start = clock.now();
    const fired: number[] = [];
    const repeat = () => {
      fired.push(Math.floor((clock.now() - start) / 60_000));
      clock.at(clock.now() + 60_000, repeat);
    };
    clock.at(start + 60_000, repeat);
    await clock.advance(240_500);
    expect(fired).toEqual([1, 2, 3, 4]);
  });

  it('does not fire a cancelled timer', async () => {
    const clock = clockForTest();
    let isFired = false;
    const cancel = clock.at(clock.now() + 1000, () => {
      isFired = true;
    });
    cancel();
    await clock.advance(2000);
    expect(isFired).toBe(false);
  });

  it('fires a due timer without a move', async () => {
    const clock = clockForTest();
    await new Promise<void>((resolve) => clock.at(clock.now(), resolve));
  });

  it('waits between steps for work started by timers', async () => {
    const clock = clockForTest();
    const start = clock.now();
    const log: string[] = [];
    clock.waitBetweenSteps(async () => {
      log.push(`settled at ${Math.floor((clock.now() - start) / 1000)}`);
    });
    clock.at(start + 1000, () => log.push('one'));
    clock.at(start + 2000, () => log.push('two'));
    await clock.advance(3000);
    expect(log).toEqual(['one', 'settled at 1', 'two', 'settled at 2']);
  });

  it('adds up concurrent moves', async () => {
    const clock = clockForTest();
    const before = clock.now();
    await Promise.all([clock.advance(60_000), clock.advance(60_000)]);
    expect(clock.now() - before).toBeGreaterThanOrEqual(120_000);
  });

  it('rejects moves into the past', () => {
    const clock = clockForTest();
    expect(() => clock.advance(-1)).toThrow(RangeError);
  });
});
