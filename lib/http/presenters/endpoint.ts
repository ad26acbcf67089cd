/** The API record and input of a webhook endpoint (docs/concepts/webhooks.md). */
import * as z from 'zod';
import { limits } from '../../core/limits.ts';
import { clickEvents, type Endpoint, endpointFormats } from '../../core/webhooks/endpoint.ts';
import { eventTypes } from '../../core/webhooks/event-types.ts';
import { webhookUrl } from '../../core/webhooks/public-address.ts';
import { routingEffects, routingFields } from '../../core/webhooks/routing.ts';
import { env } from '../../env.ts';
import { isAddressPattern } from '../../mail/addresses/address-pattern.ts';
import { idSchema, text, timestampOf, timestampOrNull, timestampSchema } from '../schemas.ts';

const routingRuleSchema = z
  .strictObject({
    effect: z.enum(routingEffects),
    field: z
      .enum(routingFields)
      .describe('`from`: From and Reply-To; `to`: To, Cc and Bcc; `either`: all of them.'),
    pattern: text('*@acme.dev', 'An address; `*` matches any characters.').refine(
      isAddressPattern,
      'must be an address; * matches any characters',
    ),
  })
  .meta({ id: 'RoutingRule' });

const clickEvent = z
  .enum(clickEvents)
  .optional()
  .describe(
    'Of endpoints of format `v1` only: clicks are sent as `outbound.email.link_clicked`, or as `outbound.email.clicked`, ' +
      'which client libraries of version 1 know.',
  );

const fields = {
  id: idSchema('whk'),
  url: text('https://acme.dev/hooks'),
  enabled: z.boolean(),
  format: z.enum(endpointFormats).meta({ examples: ['v2'] }),
  click_event: clickEvent,
  subscriptions: z.array(z.enum(eventTypes)).meta({ examples: [['email.received', 'email.bounced']] }),
  routing: z.array(routingRuleSchema),
  max_concurrency: z.int().meta({ examples: [16] }),
  previous_secret_expires_at: timestampSchema.nullable().meta({
    examples: [null],
    description: 'Until then, deliveries are also signed with the previous secret.',
  }),
  created_at: timestampSchema,
  updated_at: timestampSchema,
};

export const endpointSchema = z.strictObject(fields).meta({ id: 'WebhookEndpoint' });

export const newEndpointSchema = z
  .strictObject({
    ...fields,
    secret: text(
      'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwMfKQ9r8GKYo=',
      'Signing secret: `whsec_` and 32 bytes in base64. It is returned in this response only.',
    ),
  })
  .meta({ id: 'NewWebhookEndpoint' });

/** Input of create and update. */
export const endpointFields = {
  url: z
    .string()
    .superRefine((text, context) => {
      const url = webhookUrl(text, { allowInsecure: env().ALLOW_INSECURE_WEBHOOKS === 'on' });
      if (typeof url === 'string') context.addIssue({ code: 'custom', message: url });
    })
    .describe('A public https URL.'),
  enabled: z.boolean().describe('`false` pauses the endpoint.'),
  subscriptions: z
    .array(z.enum(eventTypes))
    .min(1)
    .max(100)
    .transform((types) => [...new Set(types)])
    .describe('The event types to receive.'),
  routing: z
    .array(routingRuleSchema)
    .max(limits.routingRules)
    .describe(
      'A matching `block` rule drops an event. When there are `allow` rules, one of them must match.',
    ),
  max_concurrency: z
    .int()
    .min(1)
    .max(limits.endpointConcurrency)
    .describe('Maximum number of concurrent deliveries.'),
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
    previous_secret_expires_at: timestampOrNull(expiresAt),
    created_at: timestampOf(endpoint.createdAt),
    updated_at: timestampOf(endpoint.updatedAt),
  };
}
