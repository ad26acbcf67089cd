/** The API record of a finding about a domain (docs/concepts/domains.md#findings). */
import * as z from 'zod';
import {
  evidenceResults,
  evidenceTypes,
  type Finding,
  findingIds,
  findingSeverities,
  findingTimes,
} from '../../core/domains/findings.ts';
import { recordPurposes } from '../../core/domains/records.ts';
import { count, text } from '../schemas.ts';

/** Of a DNS record. */
export const mxPriority = count(10, 'Preference of an MX record; null for other types.').nullable();

const evidenceSchema = z
  .strictObject({
    name: text('acme.dev', 'The name that was looked up; of a wildcard record, the wildcard.'),
    type: z
      .enum(evidenceTypes)
      .meta({ examples: ['MX'], description: 'The DNS record type that was looked up.' }),
    result: z.enum(evidenceResults).meta({
      examples: ['found'],
      description:
        '`found`: `value` has the record; `none`: the name has no such record; `nxdomain`: the name does not exist; `failed`: no usable answer.',
    }),
    value: z
      .string()
      .nullable()
      .meta({ examples: ['mx.example.net'], description: 'The record as found; null where there is none.' }),
    priority: mxPriority,
  })
  .meta({ id: 'DomainEvidence', description: 'A DNS record as it was found, or that it was not found.' });

export const domainFindingSchema = z
  .strictObject({
    id: z.enum(findingIds).meta({
      examples: ['mx_conflict'],
      description: 'What was found; stable, so that programs can branch on it.',
    }),
    severity: z.enum(findingSeverities).meta({
      examples: ['breaking'],
      description:
        '`breaking`: mail is not sent or not received; `risk`: mail may be refused or lost; `tip`: an improvement.',
    }),
    when: z.enum(findingTimes).meta({
      examples: ['both'],
      description:
        '`adding`: it matters while the records are being published; `added`: once the domain is verified; `both`: always.',
    }),
    purpose: z
      .enum(recordPurposes)
      .nullable()
      .meta({ examples: ['INBOUND'], description: 'The record that it is about; null: the domain.' }),
    title: text('The MX records name another receiver, too.', 'The finding in one sentence, for people.'),
    detail: text(
      'The records name mx.example.net beside inbound-smtp.us-east-1.amazonaws.com.',
      'What was found and why it matters; may quote DNS records and Amazon SES.',
    ),
    fix: text(
      'Keep only this record:\nacme.dev. 3600 IN MX 10 inbound-smtp.us-east-1.amazonaws.com.',
      'What to do. Records to publish follow on lines of their own, in the format of a zone file.',
    ),
    evidence: z
      .array(evidenceSchema)
      .describe('The DNS answers that show it; empty where it is not about DNS.'),
  })
  .meta({ id: 'DomainFinding', description: 'A fault of a domain, with what to do about it.' });

export function presentFinding(finding: Finding): z.input<typeof domainFindingSchema> {
  return {
    id: finding.id,
    severity: finding.severity,
    when: finding.when,
    purpose: finding.purpose,
    title: finding.title,
    detail: finding.detail,
    fix: finding.fix,
    evidence: finding.evidence.map(({ name, type, result, value, priority }) => ({
      name,
      type,
      result,
      value,
      priority,
    })),
  };
}
