/** The API record of an API key (docs/concepts/authentication.md). */
import * as z from 'zod';
import { scopes } from '../../core/access/access.ts';
import type { ApiKey } from '../../core/access/api-key.ts';
import { isNetwork } from '../../core/access/ip-networks.ts';
import { limits } from '../../core/limits.ts';
import { idSchema, text, timestampOf, timestampOrNull, timestampSchema } from '../schemas.ts';

export const scopeSchema = z.enum(scopes);

export const networkInput = z
  .string()
  .max(limits.networkCharacters)
  .refine(isNetwork, 'must be an IP address or a network such as 192.0.2.0/24');

const fields = {
  id: idSchema('key'),
  name: text('Production'),
  scope: scopeSchema,
  prefix: text('pk_9f2cExa', 'The first characters of the key, to tell keys apart.'),
  created_at: timestampSchema,
  last_used_at: timestampSchema.nullable().describe('Accurate to 15 minutes; null before the first use.'),
  expires_at: timestampSchema.nullable().describe('From then on the key is refused; null: never.'),
  allowed_ips: z
    .array(text('192.0.2.0/24'))
    .describe('Addresses and networks from which the key is accepted; empty: any.'),
};

export const apiKeySchema = z.strictObject(fields).meta({ id: 'ApiKey' });

export const newApiKeySchema = z
  .strictObject({
    ...fields,
    key: text(
      'pk_9f2cExample',
      'The key. It is returned in this response only; the service stores its hash.',
    ),
  })
  .meta({ id: 'NewApiKey' });

export function presentApiKey(key: ApiKey): z.input<typeof apiKeySchema> {
  return {
    id: key.id,
    name: key.name,
    scope: key.scope,
    prefix: key.prefix,
    created_at: timestampOf(key.createdAt),
    last_used_at: timestampOrNull(key.lastUsedAt),
    expires_at: timestampOrNull(key.expiresAt),
    allowed_ips: [...key.allowedIps],
  };
}
