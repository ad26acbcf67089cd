/**
 * Makes the schemas of the OpenAPI document short: fields that several have in common are a component of their own, to which these
 * refer with `allOf`. Generators make an intersection of it, or `extends`.
 */
import * as z from 'zod';
import { type Json, referencePrefix, schemaCollector } from './openapi-schemas.ts';
import { apiKeySchema } from './presenters/api-key.ts';
import { domainSchema } from './presenters/domain.ts';
import { emailSchema } from './presenters/email.ts';
import { endpointSchema } from './presenters/endpoint.ts';
import { eventFields } from './presenters/events.ts';
import { fileFields, threadFields, visitorFields } from './presenters/fields.ts';
import { oauthAppFields } from './presenters/oauth-app.ts';
import { messageFields } from './presenters/outgoing.ts';
import { pacingRuleBase } from './presenters/pacing-rule.ts';
import { threadSchema } from './presenters/thread.ts';
import { answerFields } from './presenters/webhook-test.ts';
import { pageFields } from './schemas.ts';

const { subject: _subject, html, text, ...messageOptions } = messageFields;
const { name: _name, client_id: _id, client_secret: _secret, ...oauthAppSettings } = oauthAppFields;

/** Records that others contain whole, and what some have in common. */
const bases = [
  apiKeySchema,
  domainSchema,
  emailSchema,
  endpointSchema,
  threadSchema,
  common('FileFields', 'What is known of a file without its content.', fileFields),
  common('WebhookAnswer', 'What an endpoint answered.', answerFields),
  common('ThreadFields', 'What is known of a thread from its beginning on.', threadFields),
  common('MessageBody', 'The content of an email to send.', { html, text }),
  common('ListPage', 'What every page of a list has.', pageFields),
  common('PacingRuleFields', 'What every pacing rule has.', pacingRuleBase),
  common('EventEnvelope', 'What every event has.', eventFields.envelope),
  common(
    'EventEmailSource',
    'The email that an event is about, and where it was sent or received.',
    eventFields.source,
  ),
  common('EventEmail', 'The email that an event is about, with its thread.', eventFields.email),
  common('EventSentEmail', 'The sent email that an event is about.', eventFields.outbound),
  common('EventMessage', 'The message that an event is about, without its content.', eventFields.message),
  common('EventMailbox', 'The mailbox that an event is about.', eventFields.mailbox),
  common('EventLostMailbox', 'The mailbox that an event is about, and why.', eventFields.lostMailbox),
  common('EventDomain', 'The domain that an event is about.', eventFields.domain),
  common('MessageOptions', 'What send, reply and forward have in common.', messageOptions),
  common(
    'OauthAppSettings',
    'What may be left out of an OAuth app.',
    z.strictObject(oauthAppSettings).partial().shape,
  ),
  common('Visit', 'Who loaded a pixel or followed a link.', visitorFields),
];

function common(id: string, description: string, fields: z.core.$ZodShape): z.ZodType {
  return z.strictObject(fields).meta({ id, description });
}

/**
 * The same components on their bases. Responses may get further fields, so their schemas are open.
 *
 * @param requests the parts of the document that have all inputs
 */
export function withBases(components: Readonly<Record<string, Json>>, requests: unknown): Json {
  const inputs = namesWithin(requests, components);
  const known = knownBases();
  const result = new Map<string, Json>();
  const add = (name: string, component: Json, isInput: boolean): void => {
    if (result.has(name)) return;
    const { extended, names } = onBases(name, component, known);
    for (const base of names) add(base, known.get(base) ?? {}, false);
    result.set(name, isInput ? closed(extended, component) : extended);
  };
  for (const [name, component] of Object.entries(components)) add(name, component, inputs.has(name));
  return Object.fromEntries(result);
}

/** Refuses the fields that the component refuses. `additionalProperties` would refuse those of bases. */
function closed(extended: Json, { additionalProperties }: Json): Json {
  if (additionalProperties !== false) return extended;
  return { ...extended, [extended.allOf ? 'unevaluatedProperties' : 'additionalProperties']: false };
}

/** The names of the components that a part of the document refers to, directly and through others. */
function namesWithin(part: unknown, components: Readonly<Record<string, Json>>): Set<string> {
  const names = new Set<string>();
  const visit = (value: unknown): void => {
    if (typeof value === 'string' && value.startsWith(referencePrefix)) {
      const name = value.slice(referencePrefix.length);
      if (names.has(name)) return;
      names.add(name);
      visit(components[name]);
    }
    if (typeof value === 'object' && value !== null) Object.values(value).forEach(visit);
  };
  visit(part);
  return names;
}

/** By name, those with the most fields first. */
function knownBases(): Map<string, Json> {
  const { describe, components } = schemaCollector();
  for (const base of bases) describe(base);
  return new Map(
    bases
      .map((base) => String(base.meta()?.id))
      .map((name) => [name, components[name] ?? {}] as const)
      .sort(([, one], [, other]) => fieldsOf(other).size - fieldsOf(one).size),
  );
}

/** The fields of an object, each with whether it is required, as JSON. */
function fieldsOf({ properties = {}, required = [] }: Json): Map<string, string> {
  return new Map(
    Object.entries(properties as Json).map(([name, schema]) => [
      name,
      JSON.stringify([schema, (required as readonly string[]).includes(name)]),
    ]),
  );
}

/** A schema without the fields of the largest bases that it has whole, and the names of these. */
function onBases(name: string, component: Json, known: ReadonlyMap<string, Json>) {
  const { additionalProperties, type, properties, required = [], ...rest } = component;
  // Objects with any fields keep `additionalProperties`.
  if (!properties) return { extended: component, names: [] };
  const own = fieldsOf(component);
  const names: string[] = [];
  for (const [base, schema] of known) {
    const shared = [...fieldsOf(schema)];
    if (base === name || !shared.every(([field, json]) => own.get(field) === json)) continue;
    names.push(base);
    for (const [field] of shared) own.delete(field);
  }
  const isOwn = ([field]: readonly [string, unknown]): boolean => own.has(field);
  const ownRequired = (required as readonly string[]).filter((field) => own.has(field));
  const extended: Json = {
    // Generators make an object without fields of a type that has none of its own.
    ...(own.size > 0 && { type, properties: Object.fromEntries(Object.entries(properties).filter(isOwn)) }),
    ...(ownRequired.length > 0 && { required: ownRequired }),
    ...(names.length > 0 && { allOf: names.map((base) => ({ $ref: `${referencePrefix}${base}` })) }),
    ...rest,
  };
  return { extended, names };
}
