/** The operator's commands for webhook endpoints. */
import { type EndpointId, parseId } from '../lib/core/ids.ts';
import { limits } from '../lib/core/limits.ts';
import { clickEvents, type EndpointChange } from '../lib/core/webhooks/endpoint.ts';
import type { EventType } from '../lib/core/webhooks/event-types.ts';
import { webhookUrl } from '../lib/core/webhooks/public-address.ts';
import { type V1EventType, v1EventNameAt, v1EventTypes } from '../lib/core/webhooks/v1-format.ts';
import { env } from '../lib/env.ts';
import { presentEndpoint } from '../lib/http/presenters/endpoint.ts';
import {
  createV1Endpoint,
  deleteEndpoint,
  listEndpoints,
  rotateSecret,
  updateEndpoint,
} from '../lib/services/webhooks/endpoints.ts';
import { type Command, neverAudited, onWorkspace } from './command.ts';
import { integer, oneOf, Usage } from './options.ts';

const endpoint = { value: 'ID', required: true, help: 'the id of the endpoint, from webhook list' } as const;
const clickEvent = {
  value: 'NAME',
  help: `what clicks are called, outbound.email.NAME: ${clickEvents.join(' or ')}; client libraries of v1 know the second`,
} as const;
const idOfExample = `whk_${'0'.repeat(8)}…`;

export const webhookCommands: Readonly<Record<string, Command>> = {
  'webhook create': onWorkspace({
    summary:
      'Makes an endpoint of format v1, for customers of the previous API version. Others make theirs by the API.',
    options: {
      url: { value: 'URL', required: true, help: 'where requests go' },
      events: { value: 'NAME,…', help: 'event names of v1; default: all of them' },
      'click-event': { ...clickEvent, default: clickEvents[0] },
      secret: { value: 'TEXT', secret: true, help: 'signs the requests; default: they are not signed' },
      'max-concurrency': {
        value: 'N',
        default: String(limits.endpointConcurrencyDefault),
        help: `attempts at the same time, 1 to ${limits.endpointConcurrency}`,
      },
    },
    examples: [
      'webhook create --workspace acme --url https://acme.dev/hooks',
      'webhook create --workspace acme --url https://acme.dev/hooks --events inbound.email.received --secret s3cret',
    ],
    prepare: (values) => {
      const settings = {
        enabled: true,
        subscriptions: values.events === undefined ? v1EventTypes : v1Types(values.events),
        routing: [],
        clickEvent: oneOf('click-event', values['click-event'], clickEvents),
        maxConcurrency: integer('max-concurrency', values['max-concurrency'], 1, limits.endpointConcurrency),
      };
      return async ({ id }) => {
        const url = checkedUrl(values.url);
        return presentEndpoint(await createV1Endpoint(id, { ...settings, url }, values.secret ?? null));
      };
    },
  }),
  'webhook list': onWorkspace({
    summary: 'Lists the endpoints of a workspace, of both formats, oldest first.',
    options: {},
    examples: ['webhook list --workspace acme'],
    isAudited: neverAudited,
    prepare:
      () =>
      async ({ id }) =>
        (await listEndpoints(id, { limit: limits.endpoints, after: null })).items.map(presentEndpoint),
  }),
  'webhook update': onWorkspace({
    summary: 'Changes what an endpoint of format v1 calls clicks.',
    options: { endpoint, 'click-event': { ...clickEvent, required: true } },
    examples: [`webhook update --workspace acme --endpoint ${idOfExample} --click-event clicked`],
    prepare: (values) => {
      const change = { clickEvent: oneOf('click-event', values['click-event'], clickEvents) };
      return changing(values.endpoint, change);
    },
  }),
  'webhook pause': onWorkspace({
    summary: 'Disables an endpoint: it gets no requests, and deliveries that are due fail.',
    options: { endpoint },
    examples: [`webhook pause --workspace acme --endpoint ${idOfExample}`],
    prepare: (values) => changing(values.endpoint, { enabled: false }),
  }),
  'webhook resume': onWorkspace({
    summary: 'Enables an endpoint that was paused.',
    options: { endpoint },
    examples: [`webhook resume --workspace acme --endpoint ${idOfExample}`],
    prepare: (values) => changing(values.endpoint, { enabled: true }),
  }),
  'webhook delete': onWorkspace({
    summary: 'Deletes an endpoint, effective with the next attempt.',
    options: { endpoint },
    examples: [`webhook delete --workspace acme --endpoint ${idOfExample}`],
    prepare: (values) => {
      const id = endpointId(values.endpoint);
      return async (workspace) => {
        await deleteEndpoint(workspace.id, id);
        return { id, deleted: true };
      };
    },
  }),
  'webhook rotate-secret': onWorkspace({
    summary: 'Replaces the secret of an endpoint and prints the new one. Both sign until the grace ends.',
    options: {
      endpoint,
      secret: { value: 'TEXT', secret: true, help: 'the new secret; default: a random one' },
      'grace-seconds': {
        value: 'N',
        default: String(limits.secretGraceSecondsDefault),
        help: `how long the old one signs, too; at most ${limits.secretGraceSeconds}`,
      },
    },
    examples: [`webhook rotate-secret --workspace acme --endpoint ${idOfExample} --grace-seconds 3600`],
    prepare: (values) => {
      const id = endpointId(values.endpoint);
      const grace = integer('grace-seconds', values['grace-seconds'], 0, limits.secretGraceSeconds);
      return async (workspace) => {
        const rotated = await rotateSecret(workspace.id, id, grace, values.secret);
        return { ...presentEndpoint(rotated.endpoint), secret: rotated.secret };
      };
    },
  }),
};

function changing(text: string, change: EndpointChange) {
  const id = endpointId(text);
  return async (workspace: { readonly id: Parameters<typeof updateEndpoint>[0] }) =>
    presentEndpoint(await updateEndpoint(workspace.id, id, change));
}

function endpointId(text: string): EndpointId {
  const id = parseId('whk', text);
  if (!id) throw new Usage('--endpoint is the id of a webhook endpoint.');
  return id;
}

/** Event types by their names in v1. */
function v1Types(names: string): EventType[] {
  const namesOf = (type: V1EventType) => clickEvents.map((clickEvent) => v1EventNameAt(type, { clickEvent }));
  const known = [...new Set(v1EventTypes.flatMap(namesOf))];
  const given = names.split(',').map((name) => oneOf('events', name.trim(), known));
  return v1EventTypes.filter((type) => namesOf(type).some((name) => given.includes(name)));
}

/** The rule depends on the deployment. */
function checkedUrl(text: string): string {
  const url = webhookUrl(text, { allowInsecure: env().ALLOW_INSECURE_WEBHOOKS === 'on' });
  if (typeof url === 'string') throw new Usage(`--url ${url}.`);
  return text;
}
