import { describe, expect, it } from 'vitest';
import { plan } from '../../bin/doctor/sending-account.ts';

describe('the pricing plan of SES', () => {
  it('is a warning where an account has one, with the command that ends it', () => {
    expect(plan('eu-west-1', 'NONE').status).toBe('ok');
    expect(plan('eu-west-1', 'ESSENTIALS')).toMatchObject({
      status: 'warning',
      todo: expect.stringContaining('put-account-pricing-attributes --region eu-west-1 --plan NONE'),
    });
  });
});
