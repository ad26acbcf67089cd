/** The emulated Google: one server for all of its hosts, whose paths do not collide. */
import type { Faults } from '../../aws/faults.ts';
import type { RecordedCall } from '../../aws/recorder.ts';
import type { LocalClock } from '../../aws/service.ts';
import { type Accounts, createAccounts } from '../accounts.ts';
import { createGrants, type Grants } from '../grants.ts';
import { bearerOf, formOf, type ProviderCall } from '../http.ts';
import { createOauthClients, type OauthClients } from '../oauth-clients.ts';
import { startProviderServer } from '../provider-server.ts';
import { createRandomText } from '../random-text.ts';
import { authorizationRoutes } from './authorization.ts';
import { googleFault, notFoundResponse } from './errors.ts';
import { openIdRoutes } from './openid.ts';

export interface GoogleOptions {
  /** 0: a free port. */
  readonly port: number;
  readonly clock: Pick<LocalClock, 'now' | 'at'>;
  readonly faults: Pick<Faults, 'consume'>;
  /** Seed of ids and tokens. */
  readonly seed: number;
  /** Called with each answered call. */
  readonly record?: (call: RecordedCall) => void;
}

/** What the routes read and change. */
export interface GoogleState {
  readonly now: () => number;
  /** `http://127.0.0.1:PORT`: stands for each of Google's hosts, and for the issuer `https://accounts.google.com`. */
  readonly url: () => string;
  readonly accounts: Accounts;
  readonly clients: OauthClients;
  readonly grants: Grants;
  /** Lifetime of access tokens. */
  readonly accessSeconds: number;
}

export interface Google extends Pick<GoogleState, 'accounts' | 'clients' | 'grants'> {
  /** `http://127.0.0.1:PORT`, for each of Google's hosts. */
  readonly url: string;
  close(): Promise<void>;
}

const accessSeconds = 3600;

/** Starts the server. */
export async function startGoogle(options: GoogleOptions): Promise<Google> {
  const { now } = options.clock;
  const text = createRandomText(options.seed);
  let url = '';
  const google: GoogleState = {
    now,
    url: () => url,
    accessSeconds,
    accounts: createAccounts(() => text.digits(21)),
    clients: createOauthClients(),
    grants: createGrants({
      now,
      newCode: () => `4/0A${text.token(70)}`,
      newAccessToken: () => `ya29.a0${text.token(120)}`,
      newRefreshToken: () => `1//0${text.token(95)}`,
      // Not documented; RFC 6749 section 4.1.2 recommends ten minutes.
      codeMs: 600_000,
      accessMs: accessSeconds * 1000,
      refreshMs: null,
      // "Using OAuth 2.0 to Access Google APIs": 100 of one account and client.
      refreshTokensMax: 100,
    }),
  };
  const server = await startProviderServer({
    port: options.port,
    routes: { ...authorizationRoutes(google), ...openIdRoutes(google) },
    faults: options.faults,
    now,
    accountOf: (call) => addressOf(google, call),
    notFound: notFoundResponse,
    faultResponse: googleFault,
    record: options.record,
  });
  url = `http://127.0.0.1:${server.port}`;
  const { accounts, clients, grants } = google;
  return { url, accounts, clients, grants, close: server.close };
}

/** The account of the token of a call, for fault rules and recorded calls. */
function addressOf({ grants }: GoogleState, call: ProviderCall): string {
  const bearer = bearerOf(call);
  if (bearer !== null) return grants.ofAccess(bearer)?.address ?? '';
  const form = formOf(call);
  return grants.ofRefresh(form.get('refresh_token') ?? form.get('token') ?? '')?.address ?? '';
}
