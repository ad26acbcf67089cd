import { describe, expect, it } from 'vitest';
import { executionSeconds, executionsAt } from '../../../lib/core/work/worker-load.ts';

const execution = { messages: 10, trips: 2, s3: 1, sqs: 1, ses: 1, receiverMs: 100, cpuMs: 10 };

describe('executionSeconds', () => {
  it('adds what a function waits for to its processor time, which is longer when it has little memory', () => {
    const waiting = 2 * 9 + 100 + 20 + 150 + 100;
    expect(executionSeconds(execution, 1769)).toBeCloseTo((waiting + 10) / 1000);
    expect(executionSeconds(execution, 512)).toBeCloseTo((waiting + 10 * (1769 / 512)) / 1000);
    expect(executionSeconds(execution, 3008)).toBeCloseTo((waiting + 10) / 1000);
  });
});

describe('executionsAt', () => {
  it('is the messages a second times the seconds of a message when a load is per email', () => {
    const load = { perSent: 2, perReceived: 1, execution: { messages: 10, trips: 0, cpuMs: 100 } };
    expect(executionsAt(load, 1769, { sent: 100, received: 50 })).toBeCloseTo(((200 + 50) / 10) * 0.1);
  });

  it('grows with the emails when a load is other work', () => {
    expect(executionsAt({ executions: 20 }, 512, { sent: 1000, received: 1000 })).toBe(20);
    expect(executionsAt({ executions: 20 }, 512, { sent: 500, received: 100 })).toBe(10);
  });
});
