/** The operator's commands for webhook endpoints of format `v1`. */
import { type EndpointId, parseId, type WorkspaceId } from '../lib/core/ids.ts';
import { limits } from '../lib/core/limits.ts';
import type { EventType } from '../lib/core/webhooks/event-types.ts';
import { webhookUrl } from '../lib/core/webhooks/public-address.ts';
import { v1EventNames, v1EventTypes } from '../lib/core/webhooks/v1-format.ts';
import { env } from '../lib/env.ts';
import { presentEndpoint } from '../lib/http/presenters/endpoint.ts';
import {
  createV1Endpoint,
  listEndpoints,
  rotateSecret,
  updateEndpoint,
} from '../lib/services/webhooks/endpoints.ts';
import { oneOf, print, Usage } from './options.ts';

export const webhookHelp = `  webhook create --workspace SLUG --url URL [--events NAME,…] [--secret TEXT] [--max-concurrency N]
                                                 makes an endpoint of format v1; default: all events of v1, without a
                                                 signature, concurrency ${limits.endpointConcurrencyDefault}
  webhook list --workspace SLUG
  webhook resume --workspace SLUG --endpoint ID  enables an endpoint that was paused
  webhook rotate-secret --workspace SLUG --endpoint ID [--secret TEXT] [--grace-seconds N]
                                                 prints the new secret; a random one without --secret`;

export const webhookOptions = {
  url: { type: 'string' },
  events: { type: 'string' },
  endpoint: { type: 'string' },
  secret: { type: 'string' },
  'max-concurrency': { type: 'string', default: String(limits.endpointConcurrencyDefault) },
  'grace-seconds': { type: 'string', default: String(limits.secretGraceSecondsDefault) },
} as const;

interface Options {
  readonly url?: string | undefined;
  readonly events?: string | undefined;
  readonly endpoint?: string | undefined;
  readonly secret?: string | undefined;
  readonly 'max-concurrency': string;
  readonly 'grace-seconds': string;
}

/** Each checks its options and returns the work. */
export const webhookCommands: Readonly<
  Record<string, (options: Options) => (workspaceId: WorkspaceId) => Promise<void>>
> = {
  'webhook create': (options) => {
    const { url, secret = null } = options;
    if (!url) throw new Usage('--url is missing.');
    if (secret === '') throw new Usage('--secret is empty.');
    const settings = {
      enabled: true,
      subscriptions: options.events === undefined ? v1EventTypes : v1Types(options.events),
      routing: [],
      maxConcurrency: integer(options, 'max-concurrency', 1, limits.endpointConcurrency),
    };
    return async (workspaceId) => {
      const endpoint = await createV1Endpoint(workspaceId, { ...settings, url: checkedUrl(url) }, secret);
      print(presentEndpoint(endpoint));
    };
  },
  'webhook list': () => async (workspaceId) => {
    const { items } = await listEndpoints(workspaceId, { limit: limits.endpoints, after: null });
    for (const endpoint of items) print(presentEndpoint(endpoint));
  },
  'webhook resume': (options) => {
    const id = endpointId(options);
    return async (workspaceId) => {
      print(presentEndpoint(await updateEndpoint(workspaceId, id, { enabled: true })));
    };
  },
  'webhook rotate-secret': (options) => {
    const id = endpointId(options);
    if (options.secret === '') throw new Usage('--secret is empty.');
    const grace = integer(options, 'grace-seconds', 0, limits.secretGraceSeconds);
    return async (workspaceId) => {
      const { endpoint, secret } = await rotateSecret(workspaceId, id, grace, options.secret);
      print({ ...presentEndpoint(endpoint), secret });
    };
  },
};

function integer(
  options: Options,
  option: 'max-concurrency' | 'grace-seconds',
  min: number,
  max: number,
): number {
  const value = options[option];
  if (/^\d{1,9}$/.test(value) && Number(value) >= min && Number(value) <= max) return Number(value);
  throw new Usage(`--${option} is a whole number from ${min} to ${max}.`);
}

function endpointId({ endpoint }: Options): EndpointId {
  const id = parseId('whk', endpoint ?? '');
  if (!id) throw new Usage('--endpoint is the id of a webhook endpoint.');
  return id;
}

/** Event types by their names in v1. */
function v1Types(names: string): EventType[] {
  const known = v1EventTypes.map((type) => v1EventNames[type]);
  const given = names.split(',').map((name) => oneOf('events', name.trim(), known));
  return v1EventTypes.filter((type) => given.includes(v1EventNames[type]));
}

function checkedUrl(text: string): string {
  const url = webhookUrl(text, { allowInsecure: env().ALLOW_INSECURE_WEBHOOKS === 'on' });
  if (typeof url === 'string') throw new Usage(`--url ${url}.`);
  return text;
}
