/** Authorization codes, access tokens and refresh tokens of one emulated mailbox provider. Times are Unix milliseconds. */
import { createHash } from 'node:crypto';

/** What a user allowed a client. */
export interface Grant {
  readonly clientId: string;
  /** The user's account. */
  readonly address: string;
  readonly scopes: readonly string[];
}

export interface AuthorizationCode extends Grant {
  readonly redirectUri: string;
  /** PKCE (RFC 7636); null: none. */
  readonly challenge: { readonly value: string; readonly method: 'S256' | 'plain' } | null;
  readonly nonce: string | null;
  /** Whether the exchange returns a refresh token. */
  readonly isOffline: boolean;
}

export interface GrantRules {
  readonly now: () => number;
  readonly newCode: () => string;
  readonly newAccessToken: () => string;
  readonly newRefreshToken: () => string;
  readonly codeMs: number;
  readonly accessMs: number;
  /** null: until it is revoked. */
  readonly refreshMs: number | null;
  /** Refresh tokens of one client and account; more invalidate the oldest. */
  readonly refreshTokensMax: number;
}

export interface Grants {
  issueCode(code: AuthorizationCode): string;
  /** Redeems a code: each once, in time. null: unknown, used or expired. */
  redeem(code: string): AuthorizationCode | null;
  issueAccess(grant: Grant): string;
  issueRefresh(grant: Grant): string;
  /** The grant of an access token that is valid; null: unknown, expired or revoked. */
  ofAccess(token: string): Grant | null;
  ofRefresh(token: string): Grant | null;
  /** Whether the user has allowed the client all scopes. */
  isApproved(grant: Grant): boolean;
  approve(grant: Grant): void;
  /** Ends what an account allowed: tokens, codes and approvals. @param clientId default: of all clients. Returns the number of tokens. */
  revoke(address: string, clientId?: string): number;
  /** Ends the access tokens of an account; refresh tokens stay valid. */
  expireAccess(address: string): number;
}

interface Issued {
  readonly grant: Grant;
  readonly expiresAt: number;
}

export function createGrants(rules: GrantRules): Grants {
  const { now } = rules;
  const codes = new Map<string, Issued & { readonly grant: AuthorizationCode }>();
  const access = new Map<string, Issued>();
  const refresh = new Map<string, Issued>();
  const approvals = new Map<string, { readonly grant: Grant; readonly scopes: Set<string> }>();

  const issue = <G extends Grant>(
    issued: Map<string, { readonly grant: G; readonly expiresAt: number }>,
    token: string,
    grant: G,
    ms: number | null,
  ) => {
    dropExpired(issued, now());
    issued.set(token, { grant, expiresAt: ms === null ? Number.POSITIVE_INFINITY : now() + ms });
    return token;
  };
  const valid = (issued: ReadonlyMap<string, Issued>, token: string): Grant | null => {
    const found = issued.get(token);
    return found && found.expiresAt > now() ? found.grant : null;
  };
  const removeWhere = (issued: Map<string, Issued>, matches: (grant: Grant) => boolean): number => {
    const tokens = [...issued].filter(([, { grant }]) => matches(grant)).map(([token]) => token);
    for (const token of tokens) issued.delete(token);
    return tokens.length;
  };

  return {
    issueCode: (code) => issue(codes, rules.newCode(), code, rules.codeMs),
    redeem: (code) => {
      const found = codes.get(code);
      codes.delete(code);
      return found && found.expiresAt > now() ? found.grant : null;
    },
    issueAccess: (grant) => issue(access, rules.newAccessToken(), grant, rules.accessMs),
    issueRefresh: (grant) => {
      const siblings = [...refresh].filter(([, { grant: other }]) => isSamePair(other, grant));
      for (const [token] of siblings.slice(0, Math.max(0, siblings.length + 1 - rules.refreshTokensMax)))
        refresh.delete(token);
      return issue(refresh, rules.newRefreshToken(), grant, rules.refreshMs);
    },
    ofAccess: (token) => valid(access, token),
    ofRefresh: (token) => valid(refresh, token),
    isApproved: (grant) => {
      const approved = approvals.get(pairOf(grant))?.scopes;
      return approved !== undefined && grant.scopes.every((scope) => approved.has(scope));
    },
    approve: (grant) => {
      const scopes = [...(approvals.get(pairOf(grant))?.scopes ?? []), ...grant.scopes];
      approvals.set(pairOf(grant), { grant, scopes: new Set(scopes) });
    },
    revoke: (address, clientId) => {
      const matches = (grant: Grant) =>
        grant.address === address && (clientId === undefined || grant.clientId === clientId);
      for (const [key, { grant }] of approvals) if (matches(grant)) approvals.delete(key);
      removeWhere(codes, matches);
      return removeWhere(access, matches) + removeWhere(refresh, matches);
    },
    expireAccess: (address) => removeWhere(access, (grant) => grant.address === address),
  };
}

function pairOf({ clientId, address }: Grant): string {
  return `${clientId} ${address}`;
}

function isSamePair(one: Grant, other: Grant): boolean {
  return one.clientId === other.clientId && one.address === other.address;
}

/** Tokens expire in the order in which they are issued. */
function dropExpired(issued: Map<string, { readonly expiresAt: number }>, nowMs: number): void {
  for (const [token, { expiresAt }] of issued) {
    if (expiresAt > nowMs) return;
    issued.delete(token);
  }
}

/** Whether a verifier matches the challenge of a code (RFC 7636 section 4.6). */
export function isVerifierOf({ challenge }: AuthorizationCode, verifier: string): boolean {
  if (challenge === null) return verifier === '';
  const expected =
    challenge.method === 'plain' ? verifier : createHash('sha256').update(verifier).digest('base64url');
  return expected === challenge.value;
}
