import { describe, expect, it, onTestFinished } from 'vitest';
import { rateMs, startSchedules } from '../../lib/local/schedules.ts';

const minute = 60_000;

describe('rateMs', () => {
  it.each([
    ['rate(1 minute)', minute],
    ['rate(5 minutes)', 5 * minute],
    ['rate(1 hour)', 60 * minute],
    ['rate(2 days)', 2880 * minute],
  ])('%s', (expression, ms) => {
    expect(rateMs(expression)).toBe(ms);
  });

  it('rejects other expressions', () => {
    expect(() => rateMs('cron(0 12 * * ? *)')).toThrow('cron');
  });
});

describe('startSchedules', () => {
  function started(handle: () => Promise<unknown> = async () => null) {
    let now = 0;
    const runs: number[] = [];
    const schedules = startSchedules({
      schedules: [{ expression: 'rate(1 minute)', functionArn: 'arn:sweep' }],
      clock: { now: () => now },
      invoke: async (functionArn) => {
        expect(functionArn).toBe('arn:sweep');
        runs.push(now);
        return await handle();
      },
    });
    onTestFinished(schedules.close);
    const moveTo = async (at: number) => {
      now = at;
      schedules.catchUp();
      await new Promise((resolve) => setImmediate(resolve));
    };
    return { moveTo, runs };
  }

  it('runs once when due, however far the clock was moved', async () => {
    const { moveTo, runs } = started();
    for (const at of [0.5, 1, 1.5, 2, 10_000, 10_000.5, 10_001]) await moveTo(at * minute);
    expect(runs.map((at) => at / minute)).toEqual([1, 2, 10_000, 10_001]);
  });

  it('runs again after a failure', async () => {
    const { moveTo, runs } = started(() => Promise.reject(new Error('no luck')));
    for (const at of [1, 2]) await moveTo(at * minute);
    expect(runs).toHaveLength(2);
  });

  it('does not start a run while one is running', async () => {
    const { moveTo, runs } = started(() => new Promise(() => {}));
    for (const at of [1, 2, 3]) await moveTo(at * minute);
    expect(runs).toHaveLength(1);
  });
});
