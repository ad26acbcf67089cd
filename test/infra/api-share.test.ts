import { describe, expect, it } from 'vitest';
import { apiShare } from '../../lib/constructs/concurrency.ts';
import { defaultGuardRails } from '../../lib/local/limits.ts';
import { settingsOf } from '../../lib/settings.ts';
import { settings, type Templates, templates, templatesOf } from './templates.ts';

const stagesOf = ({ of }: Templates) =>
  of('AWS::ApiGatewayV2::Stage').filter(({ properties }) => properties.StageName === '$default');

describe('the API', () => {
  it.each([
    [10, { requestCeiling: 4, burst: 10, requestsPerSecond: 100 }],
    [100, { requestCeiling: 40, burst: 50, requestsPerSecond: 500 }],
    [1000, { requestCeiling: 400, burst: 500, requestsPerSecond: 5000 }],
    [10_000, { requestCeiling: 4000, burst: 5000, requestsPerSecond: 10_000 }],
    [10_001, { requestCeiling: 4000, burst: 5000, requestsPerSecond: 10_000 }],
    [50_000, { requestCeiling: 20_000, burst: 5000, requestsPerSecond: 10_000 }],
  ])(
    'has a ceiling below the half that workers leave, and a burst within it, when the account has %i',
    (account, share) => {
      expect(apiShare(account)).toEqual(share);
      expect(share.requestCeiling).toBeLessThan(account / 2);
    },
  );

  it('is throttled by the stage when more requests come than its half takes', () => {
    const [stage] = stagesOf(templates());
    expect(stage?.properties.DefaultRouteSettings).toEqual({
      ThrottlingBurstLimit: 500,
      ThrottlingRateLimit: 5000,
    });
    const large = templatesOf(settingsOf({ ...settings, lambdaConcurrency: 20_000 }));
    expect(stagesOf(large)[0]?.properties.DefaultRouteSettings).toEqual({
      ThrottlingBurstLimit: 5000,
      ThrottlingRateLimit: 10_000,
    });
  });

  it('has the ceiling of a deployment by default when it runs in the local cloud', () => {
    expect(defaultGuardRails.requestCeiling).toBe(apiShare(settings.lambdaConcurrency).requestCeiling);
  });
});
