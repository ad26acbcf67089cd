/** What signs for an endpoint. */
import { describe, expect, it } from 'vitest';
import { activeSecrets } from '../../../lib/core/webhooks/endpoint.ts';

describe('secretsInForce', () => {
  it('is the current secret alone outside of a rotation', () => {
    expect(activeSecrets({ current: 'new', previous: null }, 0)).toEqual(['new']);
  });

  it('has the one before it too until its grace ends', () => {
    const secrets = { current: 'new', previous: { sealed: 'old', expiresAt: 1000 } };
    expect(activeSecrets(secrets, 999)).toEqual(['new', 'old']);
    expect(activeSecrets(secrets, 1000)).toEqual(['new']);
  });
});
