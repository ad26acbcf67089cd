/** The API record of a domain (docs/concepts/domains.md). */
import * as z from 'zod';
import type { Finding } from '../../core/domains/findings.ts';
import { recordPurposes } from '../../core/domains/records.ts';
import { displayName, recordStates, type SendingDomain } from '../../core/domains/sending-domain.ts';
import {
  count,
  createdAt,
  exampleTimestamp,
  idSchema,
  spaceId,
  text,
  timestampOf,
  timestampOrNull,
  timestampSchema,
} from '../schemas.ts';
import { providedText, recordTexts } from './domain-fields.ts';
import { domainFindingSchema, mxPriority, presentFinding } from './domain-finding.ts';

const recordSchema = z
  .strictObject({
    id: idSchema('dns'),
    purpose: z.enum(recordPurposes).meta({
      examples: ['INBOUND'],
      description:
        '`DKIM` is needed to send; `RETURN_PATH` and `SPF` align bounces with the domain; `DMARC` is the policy for forged mail; `INBOUND` is needed to receive.',
    }),
    type: z.enum(['MX', 'TXT', 'CNAME']).describe(recordTexts.type),
    name: text('acme.dev', recordTexts.name),
    value: text('inbound-smtp.us-east-1.amazonaws.com', recordTexts.value),
    priority: mxPriority,
    ttl: count(3600, 'Seconds for which resolvers may cache the record; a recommendation.'),
    state: z.enum(recordStates).meta({ examples: ['verified'], description: recordTexts.state }),
    last_checked_at: timestampSchema.nullable().meta({
      examples: [exampleTimestamp],
      description: 'When DNS last answered for the record; null before the first check.',
    }),
  })
  .meta({ id: 'DnsRecord', description: 'A DNS record to publish for a domain.' });

const base = {
  id: idSchema('dom'),
  name: text('acme.dev', 'ASCII form (RFC 5891); a wildcard begins with `*.`.'),
  region: text('us-east-1', 'The AWS Region that sends and receives its mail; never changes.'),
  space_id: spaceId,
  parent_id: idSchema('dom')
    .nullable()
    .meta({
      examples: [null],
      description:
        'The wildcard domain whose records verify this subdomain; null: it has records of its own.',
    }),
  provided: z.boolean().meta({ examples: [false], description: providedText }),
  verified_at: timestampSchema.nullable().meta({
    examples: [exampleTimestamp],
    description: 'When the DKIM record was found; null: the domain cannot send.',
  }),
  created_at: createdAt,
  tracking: z
    .strictObject({
      opens: z
        .boolean()
        .meta({ examples: [false], description: 'Whether sent html gets a pixel that records opens.' }),
      clicks: z.boolean().meta({
        examples: [false],
        description: 'Whether http and https links of sent html are rewritten to record clicks.',
      }),
    })
    .meta({ id: 'DomainTracking', description: 'What is recorded of mail that the domain sends.' }),
};

/** A domain in lists. */
export const domainSchema = z
  .strictObject(base)
  .meta({ id: 'Domain', description: 'A domain that sends and receives mail.' });
export const domainWithRecordsSchema = z
  .strictObject({
    ...base,
    records: z
      .array(recordSchema)
      .describe('DNS records to publish; empty for a provided domain and for a subdomain of a wildcard.'),
    findings: z
      .array(domainFindingSchema)
      .describe(
        'What Amazon SES refuses, as far as it is known without asking DNS; mail of the domain fails. Empty where all is well. `GET /domains/{domain_id}/diagnostics` also has those about DNS records.',
      ),
  })
  .meta({ id: 'DomainWithRecords', description: 'A domain with its DNS records.' });

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
