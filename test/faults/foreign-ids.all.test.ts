/**
 * A workspace tries every id of another one in every place of a request where an id can stand. The answer is that for an id
 * that never existed, byte for byte (docs/concepts/authentication.md).
 */
import { randomBytes } from 'node:crypto';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import * as z from 'zod';
import { operations } from '../../functions/operations.ts';
import { now } from '../../lib/adapters/clock.ts';
import { composeId, type EndpointId, type IdPrefix, idPrefixes, idTime } from '../../lib/core/ids.ts';
import { newDelivery } from '../../lib/core/webhooks/delivery.ts';
import type { Contract } from '../../lib/http/contract.ts';
import { createDelivery } from '../../lib/storage/webhooks/deliveries.ts';
import { storeEvent } from '../../lib/storage/webhooks/events.ts';
import { type ApiResponse, api, apiInProcess } from '../support/api.ts';
import { cloud } from '../support/cloud.ts';
import { domainEvent } from '../support/events.ts';
import { captureLog } from '../support/log-lines.ts';
import {
  bodyOf,
  callOf,
  createResource,
  type FixtureContext,
  idPrefixOf,
  paramNames,
  resourceOf,
  targetOf,
} from '../support/operation-fixtures.ts';
import { type TestWorkspace, workspace } from '../support/workspace.ts';
import { workspaceContext } from '../support/workspace-context.ts';

/** Where an id can stand. `prefix` null: an unknown id is no error there. */
interface Place {
  readonly at: 'path' | 'query' | 'body';
  readonly name: string;
  readonly prefix: IdPrefix | null;
  /** How a body has the id. */
  readonly wrap: (id: string) => unknown;
}

const plain = (id: string): unknown => id;
const knownPrefixes = Object.keys(idPrefixes) as IdPrefix[];

/** Query parameters and fields of bodies that hold no id of this API. */
const withoutIds: ReadonlySet<string> = new Set([
  ...[
    'limit',
    'message_limit',
    'query',
    'direction',
    'status',
    'include',
    'mailbox',
    'state',
    'type',
    'order',
    'days',
  ],
  ...[
    'external_id',
    'key',
    'reason',
    'address',
    'addresses',
    'scope',
    'note',
    'name',
    'region',
    'from',
    'to',
  ],
  ...['cc', 'bcc', 'reply_to', 'subject', 'html', 'text', 'headers', 'scheduled_at', 'unsubscribe', 'pacing'],
  ...[
    'draft',
    'version',
    'cancel_on_reply',
    'label',
    'labels',
    'read',
    'claimed',
    'claim_owner',
    'owner',
    'ttl_seconds',
  ],
  ...['email', 'role', 'outage_mail', 'action', 'pattern'],
  ...['suppression_key', 'reply_all', 'include_attachments', 'filename', 'content_type', 'size', 'cid'],
  ...['expires_at', 'allowed_ips', 'track_opens', 'track_clicks', 'url', 'enabled', 'subscriptions'],
  ...[
    'routing',
    'max_concurrency',
    'click_event',
    'grace_seconds',
    'payload',
    'event_type',
    'domain',
    'resource_id',
  ],
  ...['match', 'kind', 'schedule', 'spread', 'count_toward_limits'],
  ...['from_name', 'is_draft', 'in_reply_to', 'references', 'includeAttachments', 'offset'],
  ...['createdAfter', 'createdBefore', 'lastEmailAfter', 'lastEmailBefore', 'hasParticipantEmails'],
  ...[
    'hasEmailFromAddress',
    'hasEmailToAddress',
    'subjectContains',
    'conversationState',
    'sortBy',
    'sortOrder',
  ],
  ...['provider', 'slug', 'client_id', 'client_secret', 'tenant', 'pubsub_topic', 'accent', 'tagline'],
  ...['support_email', 'logo_url', 'return_urls', 'return_to', 'ref', 'backfill_days'],
  ...['someEmailHasDirection', 'someEmailHasStatus', 'staleThresholdDays'],
]);
/**
 * Places where an unknown id is no error: positions in a list, which read no resource, and lists of which unknown ids are
 * left out (docs/concepts/webhooks.md#retries-on-request, docs/concepts/pacing.md#queue).
 */
const lenient: ReadonlySet<string> = new Set([
  'message_cursor',
  'after',
  'before',
  'delivery_ids',
  'email_ids',
]);

/** The type of id that a schema has somewhere in it. */
function prefixIn(schema: unknown): IdPrefix | null {
  const text = JSON.stringify(schema);
  return knownPrefixes.find((prefix) => text.includes(`${prefix}_[0-9a-f]{32}`)) ?? null;
}

interface JsonSchema {
  readonly $ref?: string;
  readonly $defs?: Readonly<Record<string, JsonSchema>>;
  readonly properties?: Readonly<Record<string, unknown>>;
  readonly anyOf?: readonly JsonSchema[];
  readonly oneOf?: readonly JsonSchema[];
  readonly allOf?: readonly JsonSchema[];
}

/** The properties of an object schema, or of all objects of a union. A named schema is a reference to its definition. */
function propertiesOf(schema: z.ZodType): [string, unknown][] {
  const whole = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as JsonSchema;
  const partsOf = (json: JsonSchema): [string, unknown][] => {
    const named = json.$ref && whole.$defs?.[json.$ref.replace('#/$defs/', '')];
    const parts = [
      ...(named ? [named] : []),
      ...(json.anyOf ?? []),
      ...(json.oneOf ?? []),
      ...(json.allOf ?? []),
    ];
    return [...Object.entries(json.properties ?? {}), ...parts.flatMap(partsOf)];
  };
  const properties = partsOf(whole);
  if (properties.length === 0 && !('properties' in whole)) throw new Error('the schema is no object');
  return properties;
}

/** The places of an operation, with what is neither known as a place nor as free of ids. */
function placesOf(contract: Contract): { places: Place[]; unknown: string[] } {
  const places: Place[] = paramNames(contract).map((name) => ({
    at: 'path',
    name,
    prefix: idPrefixOf(contract, name),
    wrap: plain,
  }));
  const unknown: string[] = [];
  const add = (at: 'query' | 'body', schema: z.ZodType) => {
    for (const [name, property] of propertiesOf(schema)) {
      const prefix = prefixIn(property);
      if (name === 'attachments') {
        // In v1 they have their content with them.
        if (contract.path.startsWith('/api/v1/')) continue;
        places.push({ at, name, prefix: 'att', wrap: (id) => [{ attachment_id: id }] });
      } else if (prefix || lenient.has(name)) {
        const wrap = Object(property).type === 'array' ? (id: string) => [id] : plain;
        places.push({ at, name, prefix: lenient.has(name) ? null : prefix, wrap });
      } else if (name !== 'cursor' && !withoutIds.has(name)) unknown.push(`${at} ${name}`);
    }
  };
  add('query', contract.query);
  if (contract.body) add('body', contract.body);
  return { places, unknown };
}

const named = operations.map((contract) => ({
  name: `${contract.method} ${contract.path}`,
  contract,
  ...placesOf(contract),
}));
const cases = named.flatMap(({ name, contract, places }) =>
  places.map((place) => ({ name: `${place.at} ${place.name} of ${name}`, contract, place })),
);

let ours: TestWorkspace;
let theirs: TestWorkspace;
let ourContext: FixtureContext;
/** Ids of the other workspace, one of each type. */
let their: Readonly<Record<string, string>>;

beforeAll(async () => {
  [ours, theirs] = await Promise.all([workspace(), workspace()]);
  ourContext = workspaceContext(ours);
  const context = workspaceContext(theirs);
  const ids: Record<string, string> = {};
  for (const { contract, places } of named) {
    for (const { at, name, prefix } of places) {
      // Two of each: a list has a second page then.
      if (at !== 'path' || !prefix || ids[prefix]) continue;
      ids[prefix] = await resourceOf(contract, name, context);
      await createResource(contract, name, context);
    }
  }
  their = { ...ids, dlv: await makeDelivery(ids.whk as EndpointId) };
  await cloud().waitForQuiescence();
});

beforeEach(() => void captureLog());

async function makeDelivery(endpointId: EndpointId): Promise<string> {
  const event = domainEvent();
  await storeEvent(theirs.id, event);
  const delivery = newDelivery(event, endpointId, now());
  await createDelivery(theirs.id, { ...delivery, state: 'delivered', nextAttemptAt: null });
  return delivery.id;
}

/** Calls an operation of ours, valid but for the id in one place. */
async function callWith(contract: Contract, { at, name, wrap }: Place, id: string): Promise<ApiResponse> {
  const params: Record<string, string> = {};
  // Most fields of an edit are those of a draft.
  const draft = contract.id === 'emails.update' && at === 'body' ? await callOf(contract, ourContext) : null;
  for (const param of paramNames(contract)) {
    const given = draft?.params?.[param];
    if (given !== undefined) {
      params[param] = given;
      continue;
    }
    params[param] = at === 'path' && param === name ? id : await resourceOf(contract, param, ourContext);
  }
  const valid = await bodyOf(contract, ourContext);
  const body = at === 'body' ? Object.assign({}, valid, { [name]: wrap(id) }) : valid;
  const query = at === 'query' ? `${name}=${encodeURIComponent(id)}` : '';
  const target = targetOf(contract, { params, query });
  return await apiInProcess(ours).request(contract.method, target, { ...(body !== undefined && { body }) });
}

/** Returns the answers for ids that never existed: one for all types of ids that the place does not take. */
function answersForMissing(contract: Contract, place: Place) {
  const known = new Map<string, Promise<ApiResponse>>();
  return (prefix: IdPrefix, like: string): Promise<ApiResponse> => {
    const type = place.prefix === null || prefix === place.prefix ? prefix : 'another type';
    // Of the same time: events are in the order of their ids.
    const missing = composeId(prefix, idTime(like), randomBytes(10));
    const answer = known.get(type) ?? callWith(contract, place, missing);
    known.set(type, answer);
    return answer;
  };
}

/** What tells two answers apart, without what differs between any two requests. */
function comparable({ status, headers, body }: ApiResponse) {
  const text = JSON.stringify(body, (name, value) => (/^request_?id$/i.test(name) ? undefined : value));
  const kept = Object.entries(headers).filter(
    ([name]) => !/^(x-request-id|apigw-requestid|date|ratelimit-.+)$/.test(name),
  );
  return { status, headers: Object.fromEntries(kept), text };
}

describe('an id of another workspace', () => {
  it('is tried in every place: a new parameter or field is known as one, or as free of ids', () => {
    expect(
      named.filter(({ unknown }) => unknown.length > 0).map(({ name, unknown }) => [name, unknown]),
    ).toEqual([]);
    const taken = new Set(cases.flatMap(({ place }) => place.prefix ?? []));
    expect([...taken, 'dlv'].sort()).toEqual(Object.keys(their).sort());
  });

  it.each(cases)(
    'gets the answer for an id that never existed in $name',
    async ({ contract, place }) => {
      if (place.prefix === null) await cloud().waitForQuiescence();
      const expectedFor = answersForMissing(contract, place);
      for (const [prefix, id] of Object.entries(their)) {
        const answer = await callWith(contract, place, id);
        if (prefix === place.prefix) expect(answer.status, id).toBe(404);
        else if (place.prefix) expect(answer.status, id).toBeGreaterThanOrEqual(400);
        expect(JSON.stringify(answer.body) ?? '', prefix).not.toContain(id);
        expect(comparable(answer), prefix).toEqual(comparable(await expectedFor(prefix as IdPrefix, id)));
      }
    },
    60_000,
  );
});

describe('a cursor of another workspace', () => {
  const lists = named.filter(({ contract }) => 'cursor' in contract.query.shape);

  it.each(lists)('gets the answer for an altered cursor in $name', async ({ contract }) => {
    const list = async (own: TestWorkspace, ids: Readonly<Record<string, string>>, query: string) =>
      await api(own).get(targetOf(contract, { params: ids, query }));
    const theirParams: Record<string, string> = {};
    const ourParams: Record<string, string> = {};
    for (const param of paramNames(contract)) {
      theirParams[param] = their[idPrefixOf(contract, param)] ?? '';
      ourParams[param] = await resourceOf(contract, param, ourContext);
    }
    const page = await list(theirs, theirParams, 'limit=1');
    expect(page.status).toBe(200);
    const cursor = page.body.next_cursor ?? 'A'.repeat(40);
    const answer = await list(ours, ourParams, `limit=1&cursor=${cursor}`);
    const expected = await list(ours, ourParams, `limit=1&cursor=${'B'.repeat(cursor.length)}`);
    expect([answer.status, answer.body.code]).toEqual([400, 'invalid_cursor']);
    expect(comparable(answer)).toEqual(comparable(expected));
  });

  it('exists in the lists of the kinds that fixtures make', async () => {
    const found = await Promise.all(
      lists
        .filter(({ contract }) => paramNames(contract).length === 0)
        .map(async ({ contract, name }) => {
          const { body } = await api(theirs).get(targetOf(contract, { query: 'limit=1' }));
          return body.next_cursor === null ? [name] : [];
        }),
    );
    expect(found.flat()).toEqual([]);
  });
});

describe('an idempotency key of another workspace', () => {
  it('is unknown: the same request creates an email of its own', async () => {
    const mail = { to: 'anna@example.test', subject: 'Hi', text: 'Hello' };
    const send = (own: TestWorkspace) =>
      api(own).post(
        '/emails',
        { from: `hi@${theirs.providedDomain}`, ...mail },
        { 'Idempotency-Key': 'one' },
      );
    const first = await send(theirs);
    expect(first.status).toBe(201);
    expect((await send(theirs)).headers['idempotent-replayed']).toBe('true');
    const foreign = await send(ours);
    expect([foreign.status, foreign.body.code]).toEqual([400, 'sender_unknown']);
    const from = `hi@${ours.providedDomain}`;
    const own = await api(ours).post('/emails', { from, ...mail }, { 'Idempotency-Key': 'one' });
    expect([own.status, own.headers['idempotent-replayed']]).toEqual([201, undefined]);
    expect(own.body.id).not.toBe(first.body.id);
  });
});
