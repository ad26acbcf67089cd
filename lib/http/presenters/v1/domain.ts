/** The domain records of version 1 (docs/concepts/v1.md#domains). */
import * as z from 'zod';
import {
  type DnsRecord,
  displayName,
  recordStates,
  type SendingDomain,
} from '../../../core/domains/sending-domain.ts';
import { dkimStatuses, dmarcSources } from '../../../core/domains/verification.ts';
import type { VerifiedDomain } from '../../../services/domains/verify-v1.ts';
import {
  count,
  createdAt,
  idSchema,
  optionalText,
  text,
  timestampOf,
  timestampOrNull,
  timestampSchema,
} from '../../schemas.ts';
import { providedText, recordTexts } from '../domain-fields.ts';
import { optional } from './optional.ts';

const recordFields = {
  type: z.enum(['MX', 'TXT', 'CNAME']).meta({ examples: ['MX'], description: recordTexts.type }),
  name: text('acme.dev', recordTexts.name),
  value: text('inbound-smtp.us-east-1.amazonaws.com', recordTexts.value),
  priority: count(10, 'Preference of an MX record; absent for other types.').optional(),
};

/** A record to publish. */
export const v1DnsRecordSchema = z.strictObject(recordFields).meta({
  id: 'V1DnsRecord',
  description: 'A DNS record to publish for a domain.',
});

const checkedRecordSchema = z
  .strictObject({
    ...recordFields,
    isVerified: z
      .boolean()
      .meta({ examples: [true], description: 'Whether `verificationStatus` is `verified`.' }),
    verificationStatus: z.enum(recordStates).meta({ examples: ['verified'], description: recordTexts.state }),
    lastCheckedAt: timestampSchema
      .optional()
      .describe('When DNS last answered for the record; absent before the first check.'),
  })
  .meta({
    id: 'V1CheckedDnsRecord',
    description: 'A DNS record of a domain, with what the last check found.',
  });

const base = {
  id: idSchema('dom'),
  createdAt,
  updatedAt: timestampSchema.describe(
    'Time of the last verification or check of a record, else of creation.',
  ),
  domain: text('acme.dev', 'ASCII form (RFC 5891); a wildcard begins with `*.`.'),
  verifiedAt: timestampSchema
    .nullable()
    .describe('When the DKIM record was found; null: the domain cannot send.'),
  isManagedDefault: z.boolean().meta({ examples: [false], description: providedText }),
  dnsRecords: z
    .array(checkedRecordSchema)
    .describe('DNS records to publish; empty for a provided domain and for a subdomain of a wildcard.'),
};

const v1DomainStatuses = ['VERIFIED', 'PENDING_VERIFICATION', 'NOT_REGISTERED'] as const;

const status = z.enum(v1DomainStatuses).meta({
  examples: ['VERIFIED'],
  description:
    '`VERIFIED`: the domain can send; `PENDING_VERIFICATION`: its DKIM record was not found; `NOT_REGISTERED`: Amazon SES refuses the domain although the record was found.',
});

export const v1DomainSchema = z
  .strictObject({ ...base, status })
  .meta({ id: 'V1Domain', description: 'A domain with its DNS records.' });

const exchanges = z.array(
  z
    .strictObject({
      exchange: text('inbound-smtp.us-east-1.amazonaws.com', 'Host that receives mail, without a final dot.'),
      priority: count(10, 'Preference of the record; the lowest is tried first.'),
    })
    .meta({ id: 'V1MailExchange', description: 'An MX record as DNS has it.' }),
);
const isFound = (what: string) =>
  z.boolean().meta({ examples: [true], description: `Whether DNS has ${what}.` });
const dkimStatus = z.enum(dkimStatuses).meta({
  examples: ['Success'],
  description:
    'Status of signing: `Success` once the DKIM record is published and Amazon SES accepts the domain; `Failed`: Amazon ' +
    'SES refuses it; `TemporaryFailure`: DNS does not answer.',
});

const verificationSchema = z
  .strictObject({
    verification: dkimStatus.describe(
      'Status of the ownership of the domain: `Success` once the DKIM record, which proves it, is published.',
    ),
    dkimStatus,
    dns: z
      .strictObject({
        domainVerification: isFound('the DKIM record'),
        spf: isFound('the SPF record of the return path'),
        mx: z
          .strictObject({
            found: isFound('the MX record for receiving'),
            expectedPriority: count(10, 'Preference of the MX record to publish.'),
            records: exchanges.describe('All MX records at the name, also those of others.'),
          })
          .meta({ id: 'V1VerificationMx', description: 'MX records of the domain.' }),
        dkim: z.record(z.string(), z.boolean()).meta({
          examples: [{ 'parley-18293a._domainkey.acme.dev': true }],
          description: 'Whether DNS has the DKIM record, by its name.',
        }),
        dmarc: z
          .strictObject({
            present: isFound('a DMARC policy that applies'),
            source: z.enum(dmarcSources).meta({
              description:
                'Where the policy is: `subdomain`: at the domain itself; `parent`: at the registered domain above; `none`: nowhere.',
            }),
          })
          .meta({ id: 'V1VerificationDmarc', description: 'The DMARC policy of the domain.' }),
        mailFrom: z
          .strictObject({
            domain: text('bounces.acme.dev', 'Name of the return path, to which bounces go.'),
            mx: isFound('the MX record of the return path'),
            spf: isFound('the SPF record of the return path'),
          })
          .meta({ id: 'V1VerificationMailFrom', description: 'Records of the return path.' }),
      })
      .meta({ id: 'V1VerificationDns', description: 'What DNS has.' }),
    mxConflict: z
      .strictObject({
        hasConflict: z
          .boolean()
          .meta({ examples: [true], description: 'Whether MX records name another receiver.' }),
        conflictingRecords: exchanges.meta({
          description: 'MX records at the name that are not those to publish.',
          examples: [[{ exchange: 'mx.example.com', priority: 5 }]],
        }),
        message: optionalText(
          'The MX records name another receiver, too.',
          'What to do, for people; absent without a conflict.',
        ),
      })
      .meta({
        id: 'V1MxConflict',
        description: 'MX records of another receiver, which takes a part of the mail.',
      }),
    ready: z.boolean().meta({
      examples: [true],
      description: 'Whether mail of the domain is sent: its key is published, and Amazon SES accepts it.',
    }),
    debug: z
      .strictObject({
        domain: text('acme.dev', 'The name that was checked; of a subdomain, its wildcard.'),
        expectedVerificationToken: optionalText(
          'v=DKIM1; k=rsa; p=MIIB',
          'The DKIM record to publish; absent for a provided domain.',
        ),
        actualVerificationTokens: z.array(z.string()).meta({
          examples: [['v=DKIM1; k=rsa; p=MIIB']],
          description: 'The values that DNS has at the name of the DKIM record.',
        }),
        verificationTokenMatch: isFound('the DKIM record with the expected value'),
      })
      .meta({
        id: 'V1VerificationDebug',
        description: 'The DKIM record to publish, and what DNS has instead.',
      }),
  })
  .meta({ id: 'V1Verification', description: 'The result of a check of DNS.' });

export const v1VerifiedDomainSchema = z
  .strictObject({
    domain: z
      .strictObject({ ...base, status, dkimStatus })
      .meta({ id: 'V1VerifiedDomain', description: 'The domain after the check.' }),
    verification: verificationSchema,
  })
  .meta({ id: 'V1DomainVerification', description: 'The domain after a check, and what DNS has.' });

export function presentV1Records({ records }: Pick<SendingDomain, 'records'>) {
  return records.map(presentRecord);
}

/** @param isRefused whether SES refuses the domain although its DKIM record was found */
export function presentV1Domain(domain: SendingDomain, isRefused: boolean): z.input<typeof v1DomainSchema> {
  return { ...presentBase(domain), status: statusOf(domain, isRefused) };
}

export function presentV1Verification({
  domain,
  verification,
  isRefused,
}: VerifiedDomain): z.input<typeof v1VerifiedDomainSchema> {
  const { dns, mxConflict, debug } = verification;
  return {
    domain: { ...presentV1Domain(domain, isRefused), dkimStatus: verification.dkimStatus },
    verification: {
      ...verification,
      dns: { ...dns, mx: { ...dns.mx, records: [...dns.mx.records] }, dkim: { ...dns.dkim } },
      mxConflict: { ...mxConflict, conflictingRecords: [...mxConflict.conflictingRecords] },
      debug: { ...debug, actualVerificationTokens: [...debug.actualVerificationTokens] },
    },
  };
}

function statusOf({ verifiedAt }: SendingDomain, isRefused: boolean): (typeof v1DomainStatuses)[number] {
  if (verifiedAt === null) return 'PENDING_VERIFICATION';
  return isRefused ? 'NOT_REGISTERED' : 'VERIFIED';
}

function presentBase(domain: SendingDomain) {
  const checks = domain.records.map(({ lastCheckedAt }) => lastCheckedAt ?? 0);
  return {
    id: domain.id,
    createdAt: timestampOf(domain.createdAt),
    updatedAt: timestampOf(Math.max(domain.createdAt, domain.verifiedAt ?? 0, ...checks)),
    domain: displayName(domain),
    verifiedAt: timestampOrNull(domain.verifiedAt),
    isManagedDefault: domain.provided,
    dnsRecords: domain.records.map((record) => ({
      ...presentRecord(record),
      isVerified: record.state === 'verified',
      verificationStatus: record.state,
      ...optional('lastCheckedAt', timestampOrNull(record.lastCheckedAt)),
    })),
  };
}

function presentRecord({ type, name, value, priority }: DnsRecord) {
  return { type, name, value, ...optional('priority', priority) };
}
