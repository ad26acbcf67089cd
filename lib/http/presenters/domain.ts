/** The API record of a domain (docs/concepts/domains.md). */
import * as z from 'zod';
import type { Finding } from '../../core/domains/findings.ts';
import { recordPurposes } from '../../core/domains/records.ts';
import { displayName, type SendingDomain } from '../../core/domains/sending-domain.ts';
import { idSchema, text, timestampOf, timestampOrNull, timestampSchema } from '../schemas.ts';
import { domainFindingSchema, presentFinding } from './domain-finding.ts';

const recordSchema = z
  .strictObject({
    id: idSchema('dns'),
    purpose: z.enum(recordPurposes).meta({ examples: ['INBOUND'] }),
    type: z.enum(['MX', 'TXT', 'CNAME']),
    name: text('acme.dev'),
    value: text('inbound-smtp.us-east-1.amazonaws.com'),
    priority: z
      .int()
      .nullable()
      .meta({ examples: [10], description: 'Of MX records.' }),
    ttl: z.int().meta({ examples: [3600], description: 'Seconds.' }),
    state: z
      .enum(['pending', 'verified', 'missing'])
      .meta({ examples: ['verified'], description: '`pending` before the first check.' }),
    last_checked_at: timestampSchema.nullable(),
  })
  .meta({ id: 'DnsRecord' });

const base = {
  id: idSchema('dom'),
  name: text('acme.dev', 'ASCII form (RFC 5891); a wildcard begins with `*.`.'),
  region: text('us-east-1', 'The AWS Region that sends and receives its mail.'),
  space_id: idSchema('spc')
    .nullable()
    .meta({ examples: [null] }),
  parent_id: idSchema('dom')
    .nullable()
    .meta({ examples: [null], description: 'The wildcard domain above this subdomain.' }),
  provided: z
    .boolean()
    .meta({ examples: [false], description: 'Whether the deployment provides the domain.' }),
  verified_at: timestampSchema
    .nullable()
    .describe('When the DKIM record was found; null: the domain cannot send.'),
  created_at: timestampSchema,
  tracking: z
    .strictObject({
      opens: z.boolean().meta({ examples: [false] }),
      clicks: z.boolean().meta({ examples: [false] }),
    })
    .meta({ id: 'DomainTracking' }),
};

/** A domain in lists. */
export const domainSchema = z.strictObject(base).meta({ id: 'Domain' });
export const domainWithRecordsSchema = z
  .strictObject({
    ...base,
    records: z.array(recordSchema),
    findings: z
      .array(domainFindingSchema)
      .describe(
        'What Amazon SES refuses, as far as it is known without asking DNS; mail of the domain fails. Empty where all is well. `GET /domains/{domain_id}/diagnostics` has these and the findings about DNS records.',
      ),
  })
  .meta({ id: 'DomainWithRecords' });

export function presentDomain(domain: SendingDomain): z.input<typeof domainSchema> {
  return {
    id: domain.id,
    name: displayName(domain),
    region: domain.region,
    space_id: domain.spaceId,
    parent_id: domain.parentId,
    provided: domain.provided,
    verified_at: timestampOrNull(domain.verifiedAt),
    created_at: timestampOf(domain.createdAt),
    tracking: { opens: domain.tracking.opens, clicks: domain.tracking.clicks },
  };
}

export function presentDomainWithRecords(
  domain: SendingDomain,
  findings: readonly Finding[],
): z.input<typeof domainWithRecordsSchema> {
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
      last_checked_at: timestampOrNull(record.lastCheckedAt),
    })),
    findings: findings.map(presentFinding),
  };
}
