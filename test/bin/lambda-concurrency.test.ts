import { describe, expect, it } from 'vitest';
import { concurrencyFindings } from '../../bin/doctor/lambda-concurrency.ts';

const statuses = (limit: number, set: number | null) =>
  concurrencyFindings('us-east-1', limit, set).map(({ status }) => status);

describe('concurrencyFindings', () => {
  it('fails when the account has the quota of a new account', () => {
    expect(statuses(10, null)).toEqual(['failure']);
    expect(statuses(1000, null)).toEqual(['ok']);
  });

  it('compares the quota with the setting of the deployment', () => {
    expect(statuses(1000, 1000)).toEqual(['ok', 'ok']);
    expect(statuses(5000, 1000)).toEqual(['ok', 'warning']);
  });

  it('fails and names the value to deploy when the setting is above the quota', () => {
    const [, setting] = concurrencyFindings('us-east-1', 10, 1000);
    expect(setting).toMatchObject({
      status: 'failure',
      todo: 'Deploy again with -c lambdaConcurrency=10.',
    });
  });
});
