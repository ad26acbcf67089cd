/** The API record and input of a webhook endpoint (docs/concepts/webhooks.md). */
import * as z from 'zod';
import { limits } from '../../core/limits.ts';
import { clickEvents, type Endpoint, endpointFormats } from '../../core/webhooks/endpoint.ts';
import { eventTypes } from '../../core/webhooks/event-types.ts';
import { includedParts } from '../../core/webhooks/included.ts';
import { urlCharactersMax, webhookUrl } from '../../core/webhooks/public-address.ts';
import { routingEffects, routingFields } from '../../core/webhooks/routing.ts';
import { env } from '../../env.ts';
import {
  count,
  createdAt,
  idSchema,
  text,
  timestampOf,
  timestampOrNull,
  timestampSchema,
  updatedAt,
} from '../schemas.ts';
import { addressPattern } from './address-pattern.ts';

const routingRuleSchema = z
  .strictObject({
    effect: z
      .enum(routingEffects)
      .describe('`block`: matching events are not delivered; `allow`: only matching events are.'),
    field: z
      .enum(routingFields)
      .describe(
        'Addresses that are compared: `from`: From and Reply-To; `to`: To, Cc and Bcc; `either`: all of them.',
      ),
    pattern: addressPattern,
  })
  .meta({ id: 'RoutingRule', description: 'A rule that selects events by the addresses of their email.' });

const clickEvent = z
  .enum(clickEvents)
  .optional()
  .describe(
    'Of endpoints of format `v1` only: the name of clicks; client libraries of version 1 know ' +
      '`outbound.email.clicked`.',
  );

const texts = {
  url: 'Where events are posted: a public https URL without credentials and fragment, on port 443 or from 1024 on.',
  enabled: '`false` pauses the endpoint: it receives nothing, and events of that time are not kept for it.',
  subscriptions: 'The event types to receive; other events are not delivered.',
  routing:
    'A matching `block` rule drops an event. When there are `allow` rules, one of them must match. Events about domains ' +
    'have no addresses and pass.',
  maxConcurrency:
    'Maximum number of deliveries at the same time; the order of events is not kept, even with 1.',
};
const includeText =
  'Content of the email that `email.received` carries, each part cut at 64 KB of UTF-8. Endpoints of format `v1` have none.';
const includeExample = ['stripped_text'];
const subscriptionsExample = ['email.received', 'email.bounced'];

const fields = {
  id: idSchema('whk'),
  url: text('https://acme.dev/hooks', 'Where events are posted.'),
  enabled: z.boolean().describe(texts.enabled),
  format: z.enum(endpointFormats).meta({
    examples: ['v2'],
    description: 'Form of bodies and signatures; `v1` only of endpoints from the earlier interface.',
  }),
  click_event: clickEvent,
  subscriptions: z
    .array(z.enum(eventTypes))
    .meta({ examples: [subscriptionsExample], description: texts.subscriptions }),
  routing: z.array(routingRuleSchema).describe(texts.routing),
  max_concurrency: count(16, texts.maxConcurrency),
  include: z.array(z.enum(includedParts)).meta({ examples: [includeExample], description: includeText }),
  previous_secret_expires_at: timestampSchema.nullable().meta({
    examples: [null],
    description: 'Until then, deliveries are also signed with the previous secret; null: there is none.',
  }),
  created_at: createdAt,
  updated_at: updatedAt,
};

export const endpointSchema = z
  .strictObject(fields)
  .meta({ id: 'WebhookEndpoint', description: 'A URL that receives events of the workspace.' });

export const newEndpointSchema = z
  .strictObject({
    ...fields,
    secret: text(
      'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwMfKQ9r8GKYo=',
      'Signing secret: `whsec_` and 32 bytes in base64. It is returned in this response only.',
    ),
  })
  .meta({
    id: 'NewWebhookEndpoint',
    description: 'An endpoint with its signing secret, which is shown only now.',
  });

/** Input of create and update. */
export const endpointFields = {
  url: z
    .string()
    .superRefine((text, context) => {
      const url = webhookUrl(text, { allowInsecure: env().ALLOW_INSECURE_WEBHOOKS === 'on' });
      if (typeof url === 'string') context.addIssue({ code: 'custom', message: url });
    })
    .meta({
      maxLength: urlCharactersMax,
      format: 'uri',
      examples: ['https://acme.dev/hooks'],
      description: texts.url,
    }),
  enabled: z.boolean().describe(texts.enabled),
  subscriptions: z
    .array(z.enum(eventTypes))
    .min(1)
    .max(100)
    .transform((types) => [...new Set(types)])
    .meta({ examples: [subscriptionsExample], description: texts.subscriptions }),
  routing: z.array(routingRuleSchema).max(limits.routingRules).describe(texts.routing),
  max_concurrency: z
    .int()
    .min(1)
    .max(limits.endpointConcurrency)
    .meta({ examples: [16], description: texts.maxConcurrency }),
  include: z
    .array(z.enum(includedParts))
    .max(100)
    .transform((parts) => [...new Set(parts)])
    .meta({ examples: [includeExample], description: includeText }),
};

/** Input of update. */
export const endpointChangeFields = { ...endpointFields, click_event: clickEvent };

export function presentEndpoint(endpoint: Endpoint): z.input<typeof endpointSchema> {
  const { previousSecretExpiresAt: expiresAt } = endpoint;
  return {
    id: endpoint.id,
    url: endpoint.url,
    enabled: endpoint.enabled,
    format: endpoint.format,
    ...(endpoint.format === 'v1' && { click_event: endpoint.clickEvent }),
    subscriptions: [...endpoint.subscriptions],
    routing: endpoint.routing.map(({ effect, field, pattern }) => ({ effect, field, pattern })),
    max_concurrency: endpoint.maxConcurrency,
    include: [...endpoint.include],
    previous_secret_expires_at: timestampOrNull(expiresAt),
    created_at: timestampOf(endpoint.createdAt),
    updated_at: timestampOf(endpoint.updatedAt),
  };
}
