/** The operator's commands for webhook endpoints. */
import { UsageError } from '../../clients/cli/src/terminal/exit.ts';
import { type EndpointId, parseId } from '../../lib/core/ids.ts';
import { limits } from '../../lib/core/limits.ts';
import { clickEvents, type EndpointChange } from '../../lib/core/webhooks/endpoint.ts';
import type { EventType } from '../../lib/core/webhooks/event-types.ts';
import { webhookUrl } from '../../lib/core/webhooks/public-address.ts';
import { type V1EventType, v1EventNameAt, v1EventTypes } from '../../lib/core/webhooks/v1-format.ts';
import type { Workspace } from '../../lib/core/workspaces/workspace.ts';
import { boundedText, integer, oneOf } from '../operator/values.ts';
import { type AdminCommand, neverAudited, onWorkspace } from './command.ts';

const services = () => import('../../lib/services/webhooks/endpoints.ts');
const presenters = () => import('../../lib/http/presenters/endpoint.ts');

const endpoint = {
  type: 'string',
  demandOption: true,
  describe: 'id of the endpoint, from webhook list',
} as const;
const clickEvent = {
  choices: clickEvents,
  describe: 'what clicks are called, outbound.email.NAME; client libraries of v1 know the second',
} as const;
const secretCharactersMax = 1000;
const idOfExample = `whk_${'0'.repeat(8)}…`;

export const webhookCommands: Readonly<Record<string, AdminCommand>> = {
  'webhook create': onWorkspace({
    summary: 'Makes an endpoint of format v1.',
    details: 'For customers of the previous API version; others make theirs by the API.',
    options: {
      url: { type: 'string', demandOption: true, describe: 'where requests go' },
      events: { type: 'string', describe: 'event names of v1, with commas; else all of them' },
      'click-event': { ...clickEvent, default: clickEvents[0] },
      secret: { type: 'string', describe: 'signs the requests; else they are not signed' },
      'max-concurrency': {
        type: 'string',
        default: String(limits.endpointConcurrencyDefault),
        describe: `attempts at the same time, 1 to ${limits.endpointConcurrency}`,
      },
    },
    secrets: ['secret'],
    examples: [
      ['webhook create --workspace acme --url https://acme.dev/hooks', 'an endpoint that gets all events'],
      [
        'webhook create --workspace acme --url https://acme.dev/hooks --events inbound.email.received --secret s3cret',
        'one that gets received mail, signed',
      ],
    ],
    prepare: (values) => {
      const secret = readSecret(values.secret) ?? null;
      const settings = {
        enabled: true,
        subscriptions: values.events === undefined ? v1EventTypes : v1Types(values.events),
        routing: [],
        clickEvent: values['click-event'],
        maxConcurrency: integer('max-concurrency', values['max-concurrency'], 1, limits.endpointConcurrency),
      };
      return async ({ id }) => {
        const url = await checkedUrl(values.url);
        const [{ createV1Endpoint }, { presentEndpoint }] = await Promise.all([services(), presenters()]);
        return presentEndpoint(await createV1Endpoint(id, { ...settings, url }, secret));
      };
    },
  }),
  'webhook list': onWorkspace({
    summary: 'Lists the endpoints of a workspace, of both formats, oldest first.',
    options: {},
    examples: [['webhook list --workspace acme', 'all endpoints']],
    isAudited: neverAudited,
    prepare:
      () =>
      async ({ id }) => {
        const [{ listEndpoints }, { presentEndpoint }] = await Promise.all([services(), presenters()]);
        return (await listEndpoints(id, { limit: limits.endpoints, after: null })).items.map(presentEndpoint);
      },
  }),
  'webhook update': onWorkspace({
    summary: 'Changes what an endpoint of format v1 calls clicks.',
    options: { endpoint, 'click-event': { ...clickEvent, demandOption: true } },
    examples: [
      [`webhook update --workspace acme --endpoint ${idOfExample} --click-event clicked`, 'the name of v1'],
    ],
    prepare: (values) => changing(values.endpoint, { clickEvent: values['click-event'] }),
  }),
  'webhook pause': onWorkspace({
    summary: 'Disables an endpoint.',
    details: 'It gets no requests, and deliveries that are due fail.',
    options: { endpoint },
    examples: [[`webhook pause --workspace acme --endpoint ${idOfExample}`, 'stops its requests']],
    prepare: (values) => changing(values.endpoint, { enabled: false }),
  }),
  'webhook resume': onWorkspace({
    summary: 'Enables an endpoint that was paused.',
    options: { endpoint },
    examples: [[`webhook resume --workspace acme --endpoint ${idOfExample}`, 'starts them again']],
    prepare: (values) => changing(values.endpoint, { enabled: true }),
  }),
  'webhook delete': onWorkspace({
    summary: 'Deletes an endpoint, effective with the next attempt.',
    options: { endpoint },
    examples: [[`webhook delete --workspace acme --endpoint ${idOfExample}`, 'ends it for good']],
    prepare: (values) => {
      const id = endpointId(values.endpoint);
      return async (workspace) => {
        const { deleteEndpoint } = await services();
        await deleteEndpoint(workspace.id, id);
        return { id, deleted: true };
      };
    },
  }),
  'webhook rotate-secret': onWorkspace({
    summary: 'Replaces the secret of an endpoint and prints the new one.',
    details: 'Both sign until the grace ends.',
    options: {
      endpoint,
      secret: { type: 'string', describe: 'the new secret; else a random one' },
      'grace-seconds': {
        type: 'string',
        default: String(limits.secretGraceSecondsDefault),
        describe: `how long the old one signs, too; at most ${limits.secretGraceSeconds}`,
      },
    },
    secrets: ['secret'],
    examples: [
      [
        `webhook rotate-secret --workspace acme --endpoint ${idOfExample} --grace-seconds 3600`,
        'both secrets sign for an hour',
      ],
    ],
    prepare: (values) => {
      const id = endpointId(values.endpoint);
      const secret = readSecret(values.secret);
      const grace = integer('grace-seconds', values['grace-seconds'], 0, limits.secretGraceSeconds);
      return async (workspace) => {
        const [{ rotateSecret }, { presentEndpoint }] = await Promise.all([services(), presenters()]);
        const rotated = await rotateSecret(workspace.id, id, grace, secret);
        return { ...presentEndpoint(rotated.endpoint), secret: rotated.secret };
      };
    },
  }),
};

function changing(text: string, change: EndpointChange) {
  const id = endpointId(text);
  return async (workspace: Workspace) => {
    const [{ updateEndpoint }, { presentEndpoint }] = await Promise.all([services(), presenters()]);
    return presentEndpoint(await updateEndpoint(workspace.id, id, change));
  };
}

function endpointId(text: string): EndpointId {
  const id = parseId('whk', text);
  if (!id) throw new UsageError('--endpoint is the id of a webhook endpoint, as webhook list shows it.');
  return id;
}

/** Event types by their names in v1. */
function v1Types(names: string): EventType[] {
  const namesOf = (type: V1EventType) => clickEvents.map((clickEvent) => v1EventNameAt(type, { clickEvent }));
  const known = [...new Set(v1EventTypes.flatMap(namesOf))];
  const given = names.split(',').map((name) => oneOf('events', name.trim(), known));
  return v1EventTypes.filter((type) => namesOf(type).some((name) => given.includes(name)));
}

/** KMS seals 4,096 bytes ("Encrypt", AWS KMS API Reference). */
function readSecret(text: string | undefined): string | undefined {
  return text === undefined ? undefined : boundedText('secret', text, secretCharactersMax);
}

/** The rule depends on the deployment. */
async function checkedUrl(text: string): Promise<string> {
  const { env } = await import('../../lib/env.ts');
  const url = webhookUrl(text, { allowInsecure: env().ALLOW_INSECURE_WEBHOOKS === 'on' });
  if (typeof url === 'string') throw new UsageError(`--url ${url}.`);
  return text;
}
