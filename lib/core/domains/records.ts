/** The DNS records that a domain needs (docs/concepts/domains.md#dns-records). */
import { returnPathName } from './reserved.ts';

export const recordPurposes = ['DKIM', 'RETURN_PATH', 'SPF', 'DMARC', 'INBOUND'] as const;
export type RecordPurpose = (typeof recordPurposes)[number];

interface RecordBase {
  readonly purpose: RecordPurpose;
  /** Full name, without a final dot. */
  readonly name: string;
  readonly value: string;
  /** Seconds. */
  readonly ttl: number;
}

export type ExpectedRecord =
  | (RecordBase & { readonly type: 'TXT'; readonly priority: null })
  | (RecordBase & { readonly type: 'MX'; readonly priority: number });

const ttlSeconds = 3600;
const mxPriority = 10;
/** SES's servers in the SPF record of a return path ("Using a custom MAIL FROM domain" in the SES guide). */
export const spfInclude = 'amazonses.com';

/** The host that receives mail for SES in a region ("Amazon Simple Email Service endpoints and quotas"). */
export function inboundHost(region: string): string {
  return `inbound-smtp.${region}.amazonaws.com`;
}

/** The host that receives bounces for SES in a region ("Using a custom MAIL FROM domain" in the SES guide). */
export function returnPathHost(region: string): string {
  return `feedback-smtp.${region}.amazonses.com`;
}

/**
 * The records to publish for a domain, in the order of `recordPurposes`.
 *
 * @param domain.wildcard the domain is `*.name`: only the inbound record is at the wildcard
 * @param domain.selector of the DKIM key, one per workspace and domain
 * @param domain.publicKeyBase64 SubjectPublicKeyInfo in DER (RFC 6376, 3.6.1)
 */
export function expectedRecords(domain: {
  name: string;
  wildcard: boolean;
  region: string;
  selector: string;
  publicKeyBase64: string;
}): ExpectedRecord[] {
  const { name, wildcard, region, selector, publicKeyBase64 } = domain;
  const returnPath = returnPathName(name);
  return [
    txt('DKIM', `${selector}._domainkey.${name}`, `v=DKIM1; k=rsa; p=${publicKeyBase64}`),
    mx('RETURN_PATH', returnPath, returnPathHost(region)),
    txt('SPF', returnPath, `v=spf1 include:${spfInclude} ~all`),
    txt('DMARC', `_dmarc.${name}`, 'v=DMARC1; p=none;'),
    mx('INBOUND', wildcard ? `*.${name}` : name, inboundHost(region)),
  ];
}

/** A label that nobody publishes: only a wildcard record answers for it. */
const wildcardProbe = 'wildcard-probe';

/** The name to look up for a record: a wildcard is found through a name that it covers. */
export function queriedName({ name }: Pick<ExpectedRecord, 'name'>): string {
  return name.replace(/^\*\./, `${wildcardProbe}.`);
}

function txt(purpose: RecordPurpose, name: string, value: string): ExpectedRecord {
  return { purpose, type: 'TXT', name, value, priority: null, ttl: ttlSeconds };
}

function mx(purpose: RecordPurpose, name: string, value: string): ExpectedRecord {
  return { purpose, type: 'MX', name, value, priority: mxPriority, ttl: ttlSeconds };
}
