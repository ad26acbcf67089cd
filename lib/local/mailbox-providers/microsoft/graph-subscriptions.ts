/**
 * Subscriptions and change notifications ("Receive change notifications through webhooks"; "Reduce missing change
 * notifications and removed subscriptions"; "subscription resource type").
 */
import type { HttpResponse } from '../../http-server.ts';
import { emptyResponse, jsonOf, jsonResponse, type ProviderCall, withQuery } from '../http.ts';
import type { ProviderRoutes } from '../provider-server.ts';
import { graphError, notModelled } from './errors.ts';
import { accessOf, readingScopes } from './graph-access.ts';
import type { GraphMessage } from './graph-mailbox.ts';
import type { MicrosoftState, Subscription } from './state.ts';

export const lifecycleEvents = ['reauthorizationRequired', 'subscriptionRemoved', 'missed'] as const;
export type LifecycleEvent = (typeof lifecycleEvents)[number];

/** "Outlook message, event, contact": 10,080 minutes, under seven days ("subscription resource type"). */
const lifetimeMinutesMax = 10_080;
/** "The client must respond … within 10 seconds". Real time. */
const validationMs = 10_000;
const service = 'graph';

export function graphSubscriptionRoutes(microsoft: MicrosoftState): ProviderRoutes {
  const route = (action: string, handle: (call: ProviderCall) => HttpResponse | Promise<HttpResponse>) => ({
    service,
    action,
    handle,
  });
  const one = '/v1.0/subscriptions/{id}';
  return {
    'POST /v1.0/subscriptions': route('subscriptions.create', (call) => create(microsoft, call)),
    [`PATCH ${one}`]: route('subscriptions.update', (call) => {
      const renewed = { ...find(microsoft, call), expiresAt: expiryOf(microsoft, call) };
      microsoft.subscriptions.set(renewed.id, renewed);
      return jsonResponse(200, present(renewed));
    }),
    [`DELETE ${one}`]: route('subscriptions.delete', (call) => {
      microsoft.subscriptions.delete(find(microsoft, call).id);
      return emptyResponse(204);
    }),
  };
}

function isActive({ now }: MicrosoftState, { expiresAt }: Subscription): boolean {
  return expiresAt > now();
}

/** A subscription of the calling account and client. @throws Refusal 404 */
function find(microsoft: MicrosoftState, call: ProviderCall): Subscription {
  const { address, clientId } = accessOf(microsoft, call, readingScopes);
  const found = microsoft.subscriptions.get(call.parameters.id ?? '');
  const isOwn = found?.address === address && found.clientId === clientId;
  if (found && isOwn && isActive(microsoft, found)) return found;
  throw graphError(microsoft, 404, 'ResourceNotFound', 'The object was not found.');
}

function invalid(microsoft: MicrosoftState, message: string) {
  return graphError(microsoft, 400, 'InvalidRequest', message);
}

function expiryOf(microsoft: MicrosoftState, call: ProviderCall): number {
  const text = jsonOf(call)?.expirationDateTime;
  const at = typeof text === 'string' ? Date.parse(text) : Number.NaN;
  if (Number.isNaN(at)) throw invalid(microsoft, 'expirationDateTime is missing or not a time.');
  if (at <= microsoft.now()) throw invalid(microsoft, 'Subscription expiration can only be in the future.');
  if (at > microsoft.now() + lifetimeMinutesMax * 60_000) {
    const message = `Subscription expiration can only be ${lifetimeMinutesMax} minutes in the future.`;
    throw invalid(microsoft, message);
  }
  return at;
}

async function create(microsoft: MicrosoftState, call: ProviderCall): Promise<HttpResponse> {
  const { address, clientId } = accessOf(microsoft, call, readingScopes);
  const body = jsonOf(call) ?? {};
  const { changeType, notificationUrl, lifecycleNotificationUrl = null, resource, clientState = null } = body;
  if (changeType !== 'created') throw notModelled(microsoft, `changeType ${String(changeType)}`);
  if (resource !== 'me/messages') throw notModelled(microsoft, `the resource ${String(resource)}`);
  if (!isUrl(notificationUrl) || (lifecycleNotificationUrl !== null && !isUrl(lifecycleNotificationUrl))) {
    throw invalid(microsoft, 'notificationUrl or lifecycleNotificationUrl is not valid.');
  }
  if (clientState !== null && (typeof clientState !== 'string' || clientState.length > 128)) {
    throw invalid(microsoft, 'clientState is longer than 128 characters.');
  }
  const expiresAt = expiryOf(microsoft, call);
  for (const url of new Set([notificationUrl, lifecycleNotificationUrl ?? notificationUrl])) {
    await validate(microsoft, url);
  }
  const subscription: Subscription = {
    id: microsoft.text.uuid(),
    address,
    clientId,
    resource,
    notificationUrl,
    lifecycleNotificationUrl,
    clientState,
    expiresAt,
  };
  microsoft.subscriptions.set(subscription.id, subscription);
  return jsonResponse(201, present(subscription));
}

/** Plain http is accepted here; Microsoft requires https. */
function isUrl(value: unknown): value is string {
  return typeof value === 'string' && /^https?:\/\//.test(value) && URL.canParse(value);
}

/** The validation handshake. @throws Refusal 400 */
async function validate(microsoft: MicrosoftState, url: string): Promise<void> {
  const validationToken = `Validation: Testing client application reachability for subscription Request-Id: ${microsoft.text.uuid()}`;
  const answer = await fetch(withQuery(url, { validationToken }), {
    method: 'POST',
    headers: { 'content-type': 'text/plain; charset=utf-8' },
    body: '',
    redirect: 'manual',
    signal: AbortSignal.timeout(validationMs),
  }).then(
    async (response) => ({
      isPlain: /^text\/plain\b/i.test(response.headers.get('content-type') ?? ''),
      status: response.status,
      text: await response.text(),
    }),
    () => null,
  );
  if (answer?.status === 200 && answer.isPlain && answer.text === validationToken) return;
  const reason = answer === null ? 'NoResponse' : `HTTP ${answer.status}`;
  const message = `Subscription validation request failed. Notification endpoint must respond with 200 OK to validation request. (${reason})`;
  throw graphError(microsoft, 400, 'ValidationError', message);
}

function present(subscription: Subscription) {
  const { id, resource, notificationUrl, lifecycleNotificationUrl, expiresAt } = subscription;
  return {
    id,
    resource,
    applicationId: subscription.clientId,
    changeType: 'created',
    clientState: subscription.clientState,
    notificationUrl,
    lifecycleNotificationUrl,
    expirationDateTime: new Date(expiresAt).toISOString(),
  };
}

/** Notifies the subscriptions of a mailbox of a new message. */
export function notifySubscriptions(microsoft: MicrosoftState, address: string, { id }: GraphMessage): void {
  const account = microsoft.accounts.find(address);
  for (const subscription of microsoft.subscriptions.values()) {
    if (subscription.address !== address || !isActive(microsoft, subscription)) continue;
    if (!microsoft.grants.isApproved({ ...subscription, scopes: [] })) continue;
    const path = `Users/${account?.id}/Messages/${id}`;
    push(microsoft, subscription, subscription.notificationUrl, {
      changeType: 'created',
      resource: path,
      resourceData: {
        '@odata.type': '#Microsoft.Graph.Message',
        '@odata.id': path,
        id,
      },
    });
  }
}

/** Sends a lifecycle notification to each subscription of a mailbox; `subscriptionRemoved` removes it. Returns their number. */
export function notifyLifecycle(microsoft: MicrosoftState, address: string, event: LifecycleEvent): number {
  const own = [...microsoft.subscriptions.values()].filter(
    (subscription) => subscription.address === address && isActive(microsoft, subscription),
  );
  for (const subscription of own) {
    if (event === 'subscriptionRemoved') microsoft.subscriptions.delete(subscription.id);
    if (subscription.lifecycleNotificationUrl === null) continue;
    push(microsoft, subscription, subscription.lifecycleNotificationUrl, { lifecycleEvent: event });
  }
  return own.length;
}

function push(microsoft: MicrosoftState, subscription: Subscription, url: string, content: object): void {
  const { id, clientState, expiresAt, address } = subscription;
  const notification = {
    subscriptionId: id,
    subscriptionExpirationDateTime: new Date(expiresAt).toISOString(),
    ...content,
    clientState,
    tenantId: microsoft.accounts.find(address)?.tenantId ?? '',
  };
  microsoft.pushes.send({
    url,
    account: address,
    headers: async () => ({}),
    body: JSON.stringify({ value: [notification] }),
  });
}
