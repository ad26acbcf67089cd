/** The ceiling of requests in flight of a whole deployment, on a cloud of its own. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { generousGuardRails } from '../../lib/local/limits.ts';
import { api } from '../support/api.ts';
import { cloud } from '../support/cloud.ts';
import { type OwnCloud, startOwnCloud } from '../support/own-cloud.ts';

let own: OwnCloud;

beforeAll(async () => {
  own = await startOwnCloud({ guardRails: { ...generousGuardRails, requestCeiling: 2 } });
});
afterAll(() => own.close());

describe('a deployment at its ceiling', () => {
  it('answers 429 with Retry-After 1 to any workspace, and admits again when requests have ended', async () => {
    const [busy, other] = [await own.workspace(), await own.workspace()];
    // Requests that a slow table keeps running.
    await cloud().control('POST', '/faults', {
      service: 'dynamodb',
      action: 'Query',
      kind: 'timeout-after',
      times: 1000,
    });
    const running = Array.from({ length: 8 }, () => api(busy.key).get('/spaces'));
    const answers = await Promise.all(running);
    const refused = answers.filter(({ status }) => status === 429);
    expect(refused.length).toBeGreaterThan(0);
    for (const { headers, body } of refused) {
      expect(body).toMatchObject({
        code: 'too_many_requests',
        detail: expect.stringMatching(/^The service is at capacity\..* requestCeiling/),
      });
      expect(headers).toMatchObject({ 'retry-after': '1', 'ratelimit-limit': expect.any(String) });
    }
    await cloud().control('DELETE', '/faults');
    await expect.poll(async () => (await api(other.key).get('/spaces')).status).toBe(200);
  });
});
