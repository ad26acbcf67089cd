/** Lifecycle rules of a bucket, as far as they expire objects by prefix and tags. */
import * as z from 'zod';
import type { ObjectHead } from './s3-store.ts';

/** Other rules, such as those for unfinished uploads, expire no object. */
const ruleShape = z.object({
  Status: z.enum(['Enabled', 'Disabled']),
  ExpirationInDays: z.number().int().min(1).optional(),
  Prefix: z.string().default(''),
  TagFilters: z.array(z.strictObject({ Key: z.string(), Value: z.string() })).default([]),
});

/** `LifecycleConfiguration` of `AWS::S3::Bucket`. */
export const lifecycleShape = z.strictObject({ Rules: z.array(ruleShape) });
export type Lifecycle = z.output<typeof lifecycleShape>;

const dayMs = 24 * 3_600_000;

/**
 * Whether a rule has expired an object. S3 rounds to the next midnight UTC, and removes objects some time after that; here at
 * once ("Lifecycle configuration elements", Amazon S3 User Guide).
 */
export function isExpiredBy({ Rules }: Lifecycle, head: ObjectHead, nowMs: number): boolean {
  return Rules.some(({ Status, ExpirationInDays, Prefix, TagFilters }) => {
    if (Status !== 'Enabled' || ExpirationInDays === undefined || !head.key.startsWith(Prefix)) return false;
    if (!TagFilters.every(({ Key, Value }) => head.tags?.[Key] === Value)) return false;
    return nowMs >= Math.ceil((head.modifiedAt + ExpirationInDays * dayMs) / dayMs) * dayMs;
  });
}
