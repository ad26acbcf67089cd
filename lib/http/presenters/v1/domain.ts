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
  idSchema,
  optionalText,
  text,
  timestampOf,
  timestampOrNull,
  timestampSchema,
} from '../../schemas.ts';
import { optional } from './optional.ts';

const recordFields = {
  type: z.enum(['MX', 'TXT', 'CNAME']).meta({ examples: ['MX'] }),
  name: text('acme.dev'),
  value: text('inbound-smtp.us-east-1.amazonaws.com'),
  priority: z
    .int()
    .optional()
    .meta({ examples: [10], description: 'Of MX records.' }),
};

/** A record to publish. */
export const v1DnsRecordSchema = z.strictObject(recordFields).meta({ id: 'V1DnsRecord' });

const checkedRecordSchema = z
  .strictObject({
    ...recordFields,
    isVerified: z.boolean().meta({ examples: [true] }),
    verificationStatus: z
      .enum(recordStates)
      .meta({ examples: ['verified'], description: '`pending` before the first check.' }),
    lastCheckedAt: timestampSchema.optional().describe('Absent before the first check.'),
  })
  .meta({ id: 'V1CheckedDnsRecord' });

const base = {
  id: idSchema('dom'),
  createdAt: timestampSchema,
  updatedAt: timestampSchema,
  domain: text('acme.dev'),
  verifiedAt: timestampSchema.nullable().describe('When the DKIM record was found.'),
  isManagedDefault: z
    .boolean()
    .meta({ examples: [false], description: 'Whether the deployment provides the domain.' }),
  dnsRecords: z.array(checkedRecordSchema),
};

const v1DomainStatuses = ['VERIFIED', 'PENDING_VERIFICATION', 'NOT_REGISTERED'] as const;

const status = z.enum(v1DomainStatuses).meta({
  examples: ['VERIFIED'],
  description: '`NOT_REGISTERED`: Amazon SES refuses the domain although its DKIM record was found.',
});

export const v1DomainSchema = z.strictObject({ ...base, status }).meta({ id: 'V1Domain' });

const exchanges = z.array(
  z
    .strictObject({
      exchange: text('inbound-smtp.us-east-1.amazonaws.com'),
      priority: z.int().meta({ examples: [10] }),
    })
    .meta({ id: 'V1MailExchange' }),
);
const isFound = z.boolean().meta({ examples: [true] });
const dkimStatus = z.enum(dkimStatuses).meta({ examples: ['Success'] });

const verificationSchema = z
  .strictObject({
    verification: dkimStatus.describe('Of the ownership of the domain, which its DKIM record proves.'),
    dkimStatus: dkimStatus.describe(
      'Of signing: the record is published, and Amazon SES accepts the domain.',
    ),
    dns: z
      .strictObject({
        domainVerification: isFound,
        spf: isFound,
        mx: z
          .strictObject({
            found: isFound,
            expectedPriority: z.int().meta({ examples: [10] }),
            records: exchanges,
          })
          .meta({ id: 'V1VerificationMx' }),
        dkim: z.record(z.string(), z.boolean()).meta({
          examples: [{ 'parley-18293a._domainkey.acme.dev': true }],
          description: 'By the name of the record.',
        }),
        dmarc: z
          .strictObject({
            present: isFound,
            source: z
              .enum(dmarcSources)
              .meta({ description: '`subdomain`: a policy of its own; `parent`: that of the domain above.' }),
          })
          .meta({ id: 'V1VerificationDmarc' }),
        mailFrom: z
          .strictObject({ domain: text('bounces.acme.dev'), mx: isFound, spf: isFound })
          .meta({ id: 'V1VerificationMailFrom' }),
      })
      .meta({ id: 'V1VerificationDns' }),
    mxConflict: z
      .strictObject({
        hasConflict: z.boolean().meta({ examples: [true] }),
        conflictingRecords: exchanges.meta({ examples: [[{ exchange: 'mx.example.com', priority: 5 }]] }),
        message: optionalText('The MX records name another receiver, too.', 'Absent without a conflict.'),
      })
      .meta({ id: 'V1MxConflict' }),
    ready: isFound.describe('Whether mail of the domain is sent.'),
    debug: z
      .strictObject({
        domain: text('acme.dev'),
        expectedVerificationToken: optionalText(
          'v=DKIM1; k=rsa; p=MIIB',
          'The DKIM record to publish; absent for a provided domain.',
        ),
        actualVerificationTokens: z.array(z.string()).meta({ examples: [['v=DKIM1; k=rsa; p=MIIB']] }),
        verificationTokenMatch: isFound,
      })
      .meta({ id: 'V1VerificationDebug' }),
  })
  .meta({ id: 'V1Verification' });

export const v1VerifiedDomainSchema = z
  .strictObject({
    domain: z.strictObject({ ...base, status, dkimStatus }).meta({ id: 'V1VerifiedDomain' }),
    verification: verificationSchema,
  })
  .meta({ id: 'V1DomainVerification' });

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
