import { describe, expect, it } from 'vitest';
import type { Mailbox } from '../../lib/core/mailboxes/mailbox.ts';
import { ProviderError, type ProviderFailure, type Tokens } from '../../lib/core/mailboxes/provider.ts';
import { callWithToken, refreshLeaseMs } from '../../lib/services/mailboxes/access-token.ts';
import type { AccessTokenPorts, TokenPair } from '../../lib/services/mailboxes/access-token-ports.ts';
import { mailboxOf } from '../support/mailbox.ts';

const hour = 3_600_000;

/** The item of one mailbox and its provider, in memory, on a clock that pauses move. */
function world() {
  let clock = 1_000_000;
  let mailbox: Mailbox = mailboxOf();
  let stored: TokenPair | null = { accessToken: 'a0', refreshToken: 'r0', expiresAt: clock + hour };
  let lease: { token: string; until: number } | null = null;
  /** Refresh tokens that the provider accepts. */
  let accepted = new Set(['r0']);
  let issued = 0;
  const log: string[] = [];
  const failing: ProviderError[] = [];
  let duringRefresh: (() => void) | null = null;

  const ports: AccessTokenPorts = {
    now: () => clock,
    pause: async (ms) => {
      log.push(`pause ${ms}`);
      clock += ms;
    },
    find: async () => stored && { mailbox, accessToken: stored.accessToken, expiresAt: stored.expiresAt },
    acquire: async (token) => {
      if (!stored || (lease && lease.until > clock)) return null;
      lease = { token, until: clock + refreshLeaseMs };
      return stored;
    },
    release: async (token, tokens: Tokens | null) => {
      if (!stored || lease?.token !== token) return false;
      lease = null;
      if (tokens) stored = { ...tokens, refreshToken: tokens.refreshToken ?? stored.refreshToken };
      return true;
    },
    refresh: async (_, refreshToken) => {
      log.push(`refresh ${refreshToken}`);
      duringRefresh?.();
      const failure = failing.shift();
      if (failure) throw failure;
      if (!accepted.has(refreshToken)) throw new ProviderError('unauthorized', 'invalid_grant');
      issued += 1;
      const rotated = `r${issued}`;
      accepted = new Set([rotated]);
      return { accessToken: `a${issued}`, refreshToken: rotated, expiresAt: clock + hour };
    },
    requireReauth: async (seen, reason) => {
      if (seen.revision !== mailbox.revision) return false;
      mailbox = { ...mailbox, state: 'needs_reauth', stateReason: reason, revision: mailbox.revision + 1 };
      log.push('needs_reauth');
      return true;
    },
  };
  return {
    ports,
    log,
    call: () => callWithToken(ports, async ({ accessToken }) => accessToken),
    advance: (ms: number) => (clock += ms),
    mailbox: () => mailbox,
    stored: () => stored,
    isLeased: () => lease !== null,
    lease: () => (lease = { token: 'other', until: clock + refreshLeaseMs }),
    fail: (kind: ProviderFailure) => failing.push(new ProviderError(kind, kind)),
    revoke: () => accepted.clear(),
    during: (change: () => void) => (duringRefresh = change),
    disconnect: () => {
      stored = null;
      mailbox = { ...mailbox, state: 'disconnected', revision: mailbox.revision + 1 };
    },
    /** A new connection replaces the credentials and with them the lease. */
    reconnect: () => {
      stored = { accessToken: 'new', refreshToken: 'newer', expiresAt: clock + hour };
      accepted.add('newer');
      lease = null;
      mailbox = { ...mailbox, state: 'active', stateReason: null, revision: mailbox.revision + 1 };
    },
  };
}

describe('callWithToken', () => {
  it('uses the stored token while it lives for five minutes more', async () => {
    const { call, log, advance } = world();
    expect(await call()).toBe('a0');
    advance(hour - 5 * 60_000 - 1);
    expect(await call()).toBe('a0');
    expect(log).toEqual([]);
  });

  it('stores the rotated refresh token before it calls, when the token is about to expire', async () => {
    const { ports, advance, stored, isLeased } = world();
    advance(hour - 60_000);
    const seen = await callWithToken(ports, async ({ accessToken }) => ({ accessToken, ...stored() }));
    expect(seen).toMatchObject({ accessToken: 'a1', refreshToken: 'r1' });
    expect(isLeased()).toBe(false);
  });

  it('refreshes once when many calls need a token', async () => {
    const { call, advance, log } = world();
    advance(hour);
    const tokens = await Promise.all(Array.from({ length: 20 }, call));
    expect(new Set(tokens)).toEqual(new Set(['a1']));
    expect(log.filter((line) => line.startsWith('refresh'))).toEqual(['refresh r0']);
  });

  it('uses the old token while another function refreshes it', async () => {
    const { call, advance, lease, log } = world();
    advance(hour - 60_000);
    lease();
    expect(await call()).toBe('a0');
    expect(log).toEqual([]);
  });

  it('gives up without a call when another function holds the lease and never ends', async () => {
    const { ports, call, advance, lease } = world();
    advance(hour);
    const { acquire } = ports;
    ports.acquire = async (token) => {
      lease();
      return await acquire(token);
    };
    await expect(call()).rejects.toMatchObject({ kind: 'network' });
  });

  it('takes the lease over when a function has died with it', async () => {
    const { call, advance, lease } = world();
    advance(hour);
    lease();
    advance(refreshLeaseMs);
    expect(await call()).toBe('a1');
  });

  it('refreshes and repeats the call once when the provider does not accept the token', async () => {
    const { ports, log } = world();
    const seen: string[] = [];
    const result = await callWithToken(ports, async ({ accessToken }) => {
      seen.push(accessToken);
      if (accessToken === 'a0') throw new ProviderError('expired', '401');
      return 'done';
    });
    expect(result).toBe('done');
    expect(seen).toEqual(['a0', 'a1']);
    expect(log).toEqual(['refresh r0']);
  });

  it('leaves the mailbox active when a new token is not accepted either', async () => {
    const { ports, mailbox } = world();
    const calling = callWithToken(ports, async () => {
      throw new ProviderError('expired', '401');
    });
    await expect(calling).rejects.toMatchObject({ kind: 'expired' });
    expect(mailbox().state).toBe('active');
  });

  it('asks for a new consent when the refresh is refused', async () => {
    const { call, advance, revoke, mailbox, log, isLeased } = world();
    advance(hour);
    revoke();
    await expect(call()).rejects.toMatchObject({ kind: 'unauthorized' });
    expect(mailbox()).toMatchObject({ state: 'needs_reauth', stateReason: 'invalid_grant' });
    expect(isLeased()).toBe(false);
    await expect(call()).rejects.toMatchObject({ kind: 'unauthorized' });
    expect(log).toEqual(['refresh r0', 'needs_reauth']);
  });

  it('asks for a new consent when a call is refused for good', async () => {
    const { ports, mailbox } = world();
    const calling = callWithToken(ports, async () => {
      throw new ProviderError('unauthorized', 'policy');
    });
    await expect(calling).rejects.toMatchObject({ kind: 'unauthorized' });
    expect(mailbox()).toMatchObject({ state: 'needs_reauth', stateReason: 'policy' });
  });

  it.each(['network', 'unknown', 'throttled', 'refused'] as const)(
    'leaves the mailbox active and the lease free when a refresh fails as %s',
    async (kind) => {
      const { call, advance, fail, mailbox, isLeased } = world();
      advance(hour);
      fail(kind);
      await expect(call()).rejects.toMatchObject({ kind });
      expect(mailbox().state).toBe('active');
      expect(isLeased()).toBe(false);
      expect(await call()).toBe('a1');
    },
  );

  it('uses the new connection when the mailbox is connected again during a refresh', async () => {
    const { call, advance, during, reconnect, stored } = world();
    advance(hour);
    during(reconnect);
    expect(await call()).toBe('new');
    expect(stored()?.refreshToken).toBe('newer');
  });

  it('keeps the new connection active when the refresh of the old one is refused', async () => {
    const { call, advance, revoke, during, reconnect, mailbox } = world();
    advance(hour);
    revoke();
    during(reconnect);
    expect(await call()).toBe('new');
    expect(mailbox().state).toBe('active');
  });

  it('stores nothing when the mailbox is disconnected during a refresh', async () => {
    const { call, advance, during, disconnect, stored } = world();
    advance(hour);
    during(disconnect);
    await expect(call()).rejects.toMatchObject({ kind: 'unauthorized' });
    expect(stored()).toBeNull();
  });
});
