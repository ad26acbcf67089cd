/**
 * Types that many fields have, ids and enumerations: each is one component of the OpenAPI document, so that clients have one type
 * for it.
 */
import { scopes } from '../core/access/access.ts';
import { dispositions, emailStatuses, suppressionScopes } from '../core/emails/email.ts';
import { type IdPrefix, idPrefixes } from '../core/ids.ts';
import { mailboxProviders } from '../core/mailboxes/mailbox.ts';
import { suppressionReasons } from '../core/suppressions/suppression.ts';
import { deliveryStates } from '../core/webhooks/delivery.ts';
import { clickEvents, endpointFormats } from '../core/webhooks/endpoint.ts';
import { eventTypes } from '../core/webhooks/event-types.ts';
import { categories } from '../mail/category/categories.ts';
import { pascalCase } from './operation-names.ts';
import { v1Statuses } from './presenters/v1/email.ts';
import { idSchema } from './schemas.ts';

type Json = Readonly<Record<string, unknown>>;

const enumerations: Readonly<Record<string, readonly string[]>> = {
  ApiKeyScope: scopes,
  AttachmentDisposition: dispositions,
  ClickEvent: clickEvents,
  DnsRecordType: ['MX', 'TXT', 'CNAME'],
  EmailCategory: categories,
  EmailDirection: ['inbound', 'outbound'],
  EmailStatus: emailStatuses,
  EventType: eventTypes,
  MailboxProvider: mailboxProviders,
  PacingRuleKind: ['hours', 'limit'],
  SuppressionReason: suppressionReasons,
  SuppressionScope: suppressionScopes,
  WebhookDeliveryState: deliveryStates,
  WebhookFormat: endpointFormats,
  V1EmailDirection: ['INBOUND', 'OUTBOUND'],
  V1EmailStatus: v1Statuses,
};

/** By the JSON of what tells the type: the pattern of an id, the values of an enumeration. */
const types = new Map<string, { readonly name: string; readonly component: Json }>([
  ...Object.entries(enumerations).map(([name, values]) => {
    return [values.join(), { name, component: { type: 'string', enum: values } }] as const;
  }),
  ...Object.entries(idPrefixes).map(([prefix, words]) => {
    const { description, pattern, examples } = idSchema(prefix as IdPrefix).meta() ?? {};
    const name = pascalCase(`${words.toLowerCase().replaceAll(' ', '-')}-id`);
    return [
      String(pattern),
      { name, component: { type: 'string', description, pattern, examples } },
    ] as const;
  }),
]);

/** A use of a shared type: the type, and what this use adds to it, such as a description. Null: the schema is of another type. */
export function sharedTypeOf(
  schema: Json,
): { readonly name: string; readonly component: Json; readonly own: Json } | null {
  if (schema.type !== 'string') return null;
  const shared = types.get(Array.isArray(schema.enum) ? schema.enum.join() : String(schema.pattern));
  if (!shared) return null;
  const { component } = shared;
  const own = Object.entries(schema).filter(
    ([name, value]) => JSON.stringify(value) !== JSON.stringify(component[name]),
  );
  return { ...shared, own: Object.fromEntries(own) };
}
