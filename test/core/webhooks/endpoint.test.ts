/** Secrets that sign for an endpoint. */
import { describe, expect, it } from 'vitest';
import { activeSecrets, rotatedSecrets } from '../../../lib/core/webhooks/endpoint.ts';

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

describe('rotatedSecrets', () => {
  const once = rotatedSecrets({ current: 'first', previous: null }, 'second', 60, 1000);

  it('lets the previous secret sign until the end of the grace period', () => {
    expect(once).toEqual({ current: 'second', previous: { sealed: 'first', expiresAt: 61_000 } });
  });

  it('drops the oldest secret when it rotates again within the grace period', () => {
    const twice = rotatedSecrets(once, 'third', 60, 2000);
    expect(activeSecrets(twice, 2000)).toEqual(['third', 'second']);
  });

  it('ends the previous secret at once when the grace period is 0', () => {
    expect(rotatedSecrets(once, 'third', 0, 2000)).toEqual({ current: 'third', previous: null });
  });

  it('has no previous secret when there was none', () => {
    const none = { current: null, previous: null };
    expect(activeSecrets(none, 0)).toEqual([]);
    expect(rotatedSecrets(none, 'first', 60, 0)).toEqual({ current: 'first', previous: null });
  });
});
