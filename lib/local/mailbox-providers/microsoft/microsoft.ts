/** The emulated Microsoft: one server for the identity platform and Microsoft Graph, whose paths do not collide. */
import { createAccounts } from '../accounts.ts';
import { createGrants } from '../grants.ts';
import { bearerOf, formOf, type ProviderCall } from '../http.ts';
import type { ProviderEmulator, ProviderOptions } from '../local-mailbox.ts';
import { createOauthClients } from '../oauth-clients.ts';
import { startProviderServer } from '../provider-server.ts';
import { createPushes } from '../pushes.ts';
import { createQuota } from '../quota.ts';
import { createRandomText } from '../random-text.ts';
import { webmailRoutes } from '../webmail.ts';
import { authorizationRoutes } from './authorization.ts';
import { graphErrorResponse, microsoftFault } from './errors.ts';
import { graphDeltaRoutes } from './graph-delta.ts';
import { createGraphMailbox, type GraphMailbox } from './graph-mailbox.ts';
import { graphMessageRoutes } from './graph-messages.ts';
import { graphSendRoutes, sendFrom } from './graph-send.ts';
import {
  graphSubscriptionRoutes,
  type LifecycleEvent,
  notifyLifecycle,
  notifySubscriptions,
} from './graph-subscriptions.ts';
import { localGraph } from './local-graph.ts';
import { openIdRoutes } from './openid.ts';
import type { MicrosoftState } from './state.ts';
import { tenantOf } from './tenants.ts';

export interface Microsoft extends ProviderEmulator, Pick<MicrosoftState, 'mailboxes'> {
  /** Sends a lifecycle notification to each subscription of a mailbox, and returns their number. */
  notifyLifecycle(address: string, event: LifecycleEvent): number;
}

const accessSeconds = 3600;
/** "Refresh tokens in the Microsoft identity platform": 90 days. */
const refreshMs = 90 * 86_400_000;
/** Attempts of a change notification: "multiple times, for up to 4 hours"; the intervals are not documented. */
const retryMinutes = [1, 2, 4, 8, 16, 32, 64, 113];

export interface MicrosoftOptions extends ProviderOptions {
  /** For each mailbox ("Microsoft Graph service-specific throttling limits", Outlook service limits); default: no limit. */
  readonly graphRequestsPerTenMinutes?: number;
}

/** Starts the server. */
export async function startMicrosoft(options: MicrosoftOptions): Promise<Microsoft> {
  const { now } = options.clock;
  let url = '';
  const microsoft = createState(options, () => url);
  const mailbox = (address: string) => {
    const found = microsoft.mailboxes.of(address);
    return localGraph(found, (raw) => sendFrom(microsoft, found, raw));
  };
  const quota = createQuota({
    unitsMax: options.graphRequestsPerTenMinutes ?? Number.POSITIVE_INFINITY,
    windowMs: 600_000,
    now,
  });
  const server = await startProviderServer({
    port: options.port,
    routes: {
      ...authorizationRoutes(microsoft),
      ...openIdRoutes(microsoft),
      ...graphMessageRoutes(microsoft),
      ...graphDeltaRoutes(microsoft),
      ...graphSendRoutes(microsoft),
      ...graphSubscriptionRoutes(microsoft),
      ...webmailRoutes({ ...microsoft, provider: 'Microsoft', mailbox }),
    },
    faults: options.faults,
    now,
    accountOf: (call) => addressOf(microsoft, call),
    notFound: (path) =>
      graphErrorResponse(microsoft, {
        status: 404,
        code: 'ResourceNotFound',
        message: `Resource not found for the segment of ${path}.`,
      }),
    faultResponse: (fault, service) => microsoftFault(microsoft, fault, service),
    record: options.record,
    throttledSeconds: ({ service, account }) => (service === 'graph' ? quota.take(account, 1) : null),
  });
  url = `http://127.0.0.1:${server.port}`;
  const { accounts, clients, grants, mailboxes, pushes } = microsoft;
  return {
    url,
    accounts,
    clients,
    grants,
    mailboxes,
    pushes,
    notifyLifecycle: (address, event) => notifyLifecycle(microsoft, address, event),
    mailbox,
    close: async () => {
      await pushes.close();
      await server.close();
    },
  };
}

function createState(options: ProviderOptions, url: () => string): MicrosoftState {
  const { now } = options.clock;
  const text = createRandomText(options.seed);
  const mailboxes = new Map<string, GraphMailbox>();
  const microsoft: MicrosoftState = {
    now,
    url,
    accessSeconds,
    text,
    accounts: createAccounts(text.uuid, tenantOf),
    clients: createOauthClients(),
    grants: createGrants({
      now,
      newCode: () => `0.A${text.token(120)}`,
      newAccessToken: () => `EwB${text.token(160)}`,
      newRefreshToken: () => `0.AX${text.token(160)}`,
      // "Typically, they expire after about 10 minutes."
      codeMs: 600_000,
      accessMs: accessSeconds * 1000,
      refreshMs,
      refreshTokensMax: Number.POSITIVE_INFINITY,
    }),
    mailboxes: { of: (address) => mailboxes.get(address) ?? open(address) },
    subscriptions: new Map(),
    pushes: createPushes(
      options.clock,
      {
        isAcknowledged: (status) => status >= 200 && status < 300,
        retryMs: (attempts) => {
          const minutes = retryMinutes[attempts - 1];
          return minutes === undefined ? null : minutes * 60_000;
        },
      },
      options.onProgress ?? (() => {}),
    ),
    deliver: options.deliver,
  };
  const open = (address: string) => {
    const mailbox = createGraphMailbox({
      address,
      now,
      text,
      onCreated: (message) => notifySubscriptions(microsoft, address, message),
    });
    mailboxes.set(address, mailbox);
    return mailbox;
  };
  return microsoft;
}

/** The account of the token of a call, for fault rules and recorded calls. */
function addressOf({ grants }: MicrosoftState, call: ProviderCall): string {
  const bearer = bearerOf(call);
  if (bearer !== null) return grants.ofAccess(bearer)?.address ?? '';
  return grants.ofRefresh(formOf(call).get('refresh_token') ?? '')?.address ?? '';
}
