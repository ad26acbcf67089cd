/** Labels and claims of threads in requests and responses (docs/concepts/threads.md#labels-read-state-and-claims). */
import * as z from 'zod';
import type { Scope } from '../../core/access/access.ts';
import type { Claim } from '../../core/threads/thread.ts';
import { text, timestampOf, timestampSchema } from '../schemas.ts';

/** Of operations that label, mark and claim threads: they let no mail leave. */
export const workScope: Scope = 'draft';

export const labelInput = z
  .string()
  .regex(/^[a-z0-9:_-]{1,50}$/, 'must be 1 to 50 of a-z, 0-9, ":", "_" and "-"')
  .meta({ minLength: 1, maxLength: 50, pattern: '^[a-z0-9:_-]{1,50}$', examples: ['billing'] });

/** The name of a worker. */
export const claimOwner = z
  .string()
  .min(1)
  .max(200)
  .meta({ examples: ['worker-7'] });

export const claimSchema = z
  .strictObject({
    owner: text('worker-7', 'Who has the claim.'),
    expires_at: timestampSchema.describe('When it expires, unless its owner renews it.'),
  })
  .meta({ id: 'ThreadClaim', description: 'A claim on a thread.' });

export function presentClaim({ owner, expiresAt }: Claim): z.input<typeof claimSchema> {
  return { owner, expires_at: timestampOf(expiresAt) };
}
