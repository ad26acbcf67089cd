import { describe, expect, it } from 'vitest';
import { interference, plan } from '../../bin/doctor/sending-account.ts';

describe('the pricing plan of SES', () => {
  it('is a warning where an account has one, with the command that ends it', () => {
    expect(plan('eu-west-1', 'NONE').status).toBe('ok');
    expect(plan('eu-west-1', 'ESSENTIALS')).toMatchObject({
      status: 'warning',
      todo: expect.stringContaining('put-account-pricing-attributes --region eu-west-1 --plan NONE'),
    });
  });
});

describe('what SES does to mail on its own', () => {
  const tracking = {
    VdmAttributes: { VdmEnabled: 'ENABLED', DashboardAttributes: { EngagementMetrics: 'ENABLED' } },
  } as const;
  const validation = {
    SuppressionAttributes: {
      ValidationAttributes: { ConditionThreshold: { ConditionThresholdEnabled: 'ENABLED' } },
    },
  } as const;

  it('is a warning for each setting of the account', () => {
    const found = interference('eu-west-1', { ...tracking, ...validation });
    expect(found.map(({ status }) => status)).toEqual(['warning', 'warning']);
    expect(interference('eu-west-1', tracking)).toHaveLength(1);
  });

  it('is nothing where the account has neither', () => {
    expect(interference('eu-west-1', {}).map(({ status }) => status)).toEqual(['ok']);
    const isOff = { VdmAttributes: { VdmEnabled: 'DISABLED' } } as const;
    expect(interference('eu-west-1', isOff).map(({ status }) => status)).toEqual(['ok']);
  });
});
