/** Domains on the wire (contract, section 5). */
import * as z from 'zod';
import { recordPurposes } from '../../core/domains/records.ts';
import { displayName, type SendingDomain } from '../../core/domains/sending-domain.ts';
import { idSchema, timestampSchema } from '../schemas.ts';

const recordSchema = z.strictObject({
  id: idSchema('dns'),
  purpose: z.enum(recordPurposes),
  type: z.enum(['MX', 'TXT', 'CNAME']),
  name: z.string(),
  value: z.string(),
  priority: z.int().nullable(),
  ttl: z.int().describe('Seconds.'),
  state: z.enum(['pending', 'verified', 'missing']).describe('`pending` until the first check.'),
  last_checked_at: timestampSchema.nullable(),
});

const base = {
  id: idSchema('dom'),
  name: z.string().describe('In ASCII form; a wildcard begins with `*.`.'),
  region: z.string(),
  space_id: idSchema('spc').nullable(),
  parent_id: idSchema('dom').nullable().describe('The wildcard that this is a subdomain of.'),
  provided: z.boolean(),
  verified_at: timestampSchema
    .nullable()
    .describe('Since when the DKIM record is published; null: cannot send.'),
  created_at: timestampSchema,
  tracking: z.strictObject({ opens: z.boolean(), clicks: z.boolean() }),
};

/** As lists show a domain. */
export const domainSchema = z.strictObject(base);
export const domainWithRecordsSchema = z.strictObject({ ...base, records: z.array(recordSchema) });

const optionalTimestamp = (ms: number | null): string | null =>
  ms === null ? null : new Date(ms).toISOString();

export function presentDomain(domain: SendingDomain): z.input<typeof domainSchema> {
  return {
    id: domain.id,
    name: displayName(domain),
    region: domain.region,
    space_id: domain.spaceId,
    parent_id: domain.parentId,
    provided: domain.provided,
    verified_at: optionalTimestamp(domain.verifiedAt),
    created_at: new Date(domain.createdAt).toISOString(),
    tracking: { opens: domain.tracking.opens, clicks: domain.tracking.clicks },
  };
}

export function presentDomainWithRecords(domain: SendingDomain): z.input<typeof domainWithRecordsSchema> {
  return {
    ...presentDomain(domain),
    records: domain.records.map((record) => ({
      id: record.id,
      purpose: record.purpose,
      type: record.type,
      name: record.name,
      value: record.value,
      priority: record.priority,
      ttl: record.ttl,
      state: record.state,
      last_checked_at: optionalTimestamp(record.lastCheckedAt),
    })),
  };
}
