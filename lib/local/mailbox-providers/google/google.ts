/** The emulated Google: one server for all of its hosts, whose paths do not collide. */
import { createAccounts } from '../accounts.ts';
import { createGrants } from '../grants.ts';
import { bearerOf, formOf, type ProviderCall } from '../http.ts';
import type { ProviderEmulator, ProviderOptions } from '../local-mailbox.ts';
import { createOauthClients } from '../oauth-clients.ts';
import { startProviderServer } from '../provider-server.ts';
import { createQuota, gmailUnits } from '../quota.ts';
import { createRandomText } from '../random-text.ts';
import { webmailRoutes } from '../webmail.ts';
import { authorizationRoutes } from './authorization.ts';
import { googleFault, notFoundResponse } from './errors.ts';
import { gmailHistoryRoutes, notifyWatches } from './gmail-history.ts';
import { createGmailMailbox, type GmailMailbox } from './gmail-mailbox.ts';
import { gmailMessageRoutes } from './gmail-messages.ts';
import { gmailSendRoutes, sendFrom } from './gmail-send.ts';
import type { HistoryRecord } from './history-log.ts';
import { localGmail } from './local-gmail.ts';
import { openIdRoutes } from './openid.ts';
import { createPubSub } from './pubsub.ts';
import type { GoogleState } from './state.ts';

export interface GoogleOptions extends ProviderOptions {
  /** "Per minute per user per project" ("Usage limits", Gmail API); default: no limit. */
  readonly gmailUnitsPerMinute?: number;
}

/** Its URL stands for each of Google's hosts. */
export interface Google extends ProviderEmulator, Pick<GoogleState, 'mailboxes' | 'pubSub'> {}

const accessSeconds = 3600;

/** Starts the server. */
export async function startGoogle(options: GoogleOptions): Promise<Google> {
  const { now } = options.clock;
  let url = '';
  const google = createState(options, () => url);
  const mailbox = (address: string) => {
    const found = google.mailboxes.of(address);
    return localGmail(found, (raw, threadId) => void sendFrom(google, found, { raw, threadId }));
  };
  const quota = createQuota({
    unitsMax: options.gmailUnitsPerMinute ?? Number.POSITIVE_INFINITY,
    windowMs: 60_000,
    now,
  });
  const server = await startProviderServer({
    port: options.port,
    routes: {
      ...authorizationRoutes(google),
      ...openIdRoutes(google),
      ...gmailMessageRoutes(google),
      ...gmailHistoryRoutes(google),
      ...gmailSendRoutes(google),
      ...webmailRoutes({ ...google, provider: 'Google', mailbox }),
    },
    faults: options.faults,
    now,
    accountOf: (call) => addressOf(google, call),
    notFound: notFoundResponse,
    faultResponse: googleFault,
    record: options.record,
    throttledSeconds: ({ service, action, account }) =>
      service === 'gmail' ? quota.take(account, gmailUnits[action] ?? 1) : null,
  });
  url = `http://127.0.0.1:${server.port}`;
  const { accounts, clients, grants, mailboxes: byAddress, pubSub } = google;
  return {
    url,
    accounts,
    clients,
    grants,
    mailboxes: byAddress,
    pubSub,
    pushes: pubSub.pushes,
    mailbox,
    close: async () => {
      await pubSub.pushes.close();
      await server.close();
    },
  };
}

function createState(options: GoogleOptions, url: () => string): GoogleState {
  const { now } = options.clock;
  const text = createRandomText(options.seed);
  const mailboxes = new Map<string, GmailMailbox>();
  const google: GoogleState = {
    now,
    url,
    text,
    watches: new Map(),
    deliver: options.deliver,
    mailboxes: {
      of: (address) => {
        const onChange = (record: HistoryRecord) => notifyWatches(google, address, record);
        const mailbox = mailboxes.get(address) ?? createGmailMailbox({ address, now, text, onChange });
        mailboxes.set(address, mailbox);
        return mailbox;
      },
    },
    pubSub: createPubSub({
      clock: options.clock,
      text,
      issuer: url,
      onProgress: options.onProgress ?? (() => {}),
    }),
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
  return google;
}

/** The account of the token of a call, for fault rules and recorded calls. */
function addressOf({ grants }: GoogleState, call: ProviderCall): string {
  const bearer = bearerOf(call);
  if (bearer !== null) return grants.ofAccess(bearer)?.address ?? '';
  const form = formOf(call);
  return grants.ofRefresh(form.get('refresh_token') ?? form.get('token') ?? '')?.address ?? '';
}
