/** Secrets that sign for an endpoint. */
import { describe, expect, it } from 'vitest';
import { activeSecrets } from '../../../lib/core/webhooks/endpoint.ts';

describe('activeSecrets', () => {
  it('returns the current secret only when there is no rotation', () => {
    expect(activeSecrets({ current: 'new', previous: null }, 0)).toEqual(['new']);
  });

  it('returns the previous secret, too, until the grace period ends', () => {
    const secrets = { current: 'new', previous: { sealed: 'old', expiresAt: 1000 } };
    expect(activeSecrets(secrets, 999)).toEqual(['new', 'old']);
    expect(activeSecrets(secrets, 1000)).toEqual(['new']);
  });
});
