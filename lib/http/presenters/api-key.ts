/** The API record of an API key (docs/concepts/authentication.md). */
import * as z from 'zod';
import { scopes } from '../../core/access/access.ts';
import type { ApiKey } from '../../core/access/api-key.ts';
import { isNetwork } from '../../core/access/ip-networks.ts';
import { limits } from '../../core/limits.ts';
import {
  createdAt,
  exampleTimestamp,
  idSchema,
  text,
  timestampInput,
  timestampOf,
  timestampOrNull,
  timestampSchema,
} from '../schemas.ts';

export const scopeSchema = z
  .enum(scopes)
  .describe(
    'What the key may do: `read` reads all but API keys; `draft` also writes drafts, which others approve; `sending` also sends, uploads, reschedules and cancels; `full` does everything.',
  );

const networkInput = z
  .string()
  .max(limits.networkCharacters)
  .refine(isNetwork, 'must be an IP address or a network such as 192.0.2.0/24')
  .meta({ examples: ['192.0.2.0/24'] });

const nameText = 'Shown in lists, to tell keys apart; need not be unique.';
export const keyNameInput = z
  .string()
  .min(1)
  .max(limits.nameCharacters)
  .meta({ examples: ['Production'], description: nameText });

const expiresAt = 'From this time on the key is refused with `unauthorized`; null: it does not expire.';
const allowedIps = 'IP addresses and networks (CIDR) from which the key is accepted; empty: any address.';

const fields = {
  id: idSchema('key'),
  name: text('Production', nameText),
  scope: scopeSchema,
  prefix: text('pk_9f2cExa', 'The first characters of the key, to tell keys apart.'),
  created_at: createdAt,
  last_used_at: timestampSchema.nullable().meta({
    examples: [exampleTimestamp],
    description: 'Time of the last request, accurate to 15 minutes; null before the first.',
  }),
  expires_at: timestampSchema.nullable().meta({ examples: [null], description: expiresAt }),
  allowed_ips: z.array(text('192.0.2.0/24')).meta({ examples: [[]], description: allowedIps }),
};

export const apiKeySchema = z.strictObject(fields).meta({
  id: 'ApiKey',
  description: 'An API key of the workspace, without the key itself.',
});

export const newApiKeySchema = z
  .strictObject({
    ...fields,
    key: text(
      'pk_9f2cExample',
      'The key. It is returned in this response only; the service stores its hash.',
    ),
  })
  .meta({ id: 'NewApiKey', description: 'A new API key with the key itself, which is shown only now.' });

/** Restrictions in the input of create. */
export const keyRestrictions = {
  expires_at: timestampInput
    .nullable()
    .default(null)
    .meta({ examples: ['2027-01-31T12:00:00Z'], description: expiresAt }),
  allowed_ips: z.array(networkInput).max(limits.apiKeyNetworks).default([]).describe(allowedIps),
};

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
