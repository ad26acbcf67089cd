/** Whether what DNS answers is the record a domain needs. */
import { type ExpectedRecord, spfInclude } from './records.ts';

export interface MailExchange {
  readonly exchange: string;
  readonly priority: number;
}

/** What a successful look-up of the record's name found; `txt` with the strings of each record joined (RFC 7208, 3.3). */
export interface Answers {
  readonly txt?: readonly string[];
  readonly mx?: readonly MailExchange[];
}

/**
 * The state that `answers` put a record in. Read as a receiver of mail would read it: a value with literal quotation
 * marks, or a second SPF policy, is of no use to anybody and so counts as missing. A look-up that failed says
 * nothing about the record; the caller keeps the state it had.
 */
export function recordState(expected: ExpectedRecord, answers: Answers): 'verified' | 'missing' {
  return isPublished(expected, answers) ? 'verified' : 'missing';
}

function isPublished(expected: ExpectedRecord, { txt = [], mx = [] }: Answers): boolean {
  switch (expected.purpose) {
    case 'DKIM':
      return isDkimPublished(expected.value, txt);
    case 'SPF': {
      const [policy, ...others] = txt.filter(isSpfPolicy);
      return policy !== undefined && others.length === 0 && includesSes(policy);
    }
    case 'DMARC':
      return txt.filter(isDmarcPolicy).length === 1;
    case 'RETURN_PATH':
      // SES refuses a MAIL FROM domain that has a second MX record.
      return mx.length === 1 && mx.some((answer) => isSameExchange(expected, answer));
    case 'INBOUND':
      return mx.some((answer) => isSameExchange(expected, answer));
  }
}

/** True when our key is there and no other stands beside it: which of two a receiver takes is undefined (RFC 6376, 3.6.2.2). */
function isDkimPublished(expected: string, txt: readonly string[]): boolean {
  const key = parseTags(expected).get('p');
  const published = txt.map(parseTags).filter((tags) => tags.has('p'));
  return (
    published.length > 0 &&
    published.every(
      (tags) =>
        tags.get('p') === key &&
        (tags.get('v') ?? 'DKIM1') === 'DKIM1' &&
        (tags.get('k') ?? 'rsa').toLowerCase() === 'rsa',
    )
  );
}

/**
 * The tags of a DKIM or DMARC record (RFC 6376, 3.2), names in lower case, values without white space. The first of
 * two equal names stands. Backslashes before semicolons are dropped: resolvers of some providers leave them in.
 */
export function parseTags(record: string): Map<string, string> {
  const tags = new Map<string, string>();
  for (const part of record.replaceAll('\\;', ';').split(';')) {
    const equals = part.indexOf('=');
    if (equals < 0) continue;
    const name = part.slice(0, equals).trim().toLowerCase();
    if (!tags.has(name)) tags.set(name, part.slice(equals + 1).replace(/\s+/g, ''));
  }
  return tags;
}

/** Whether a TXT record is an SPF policy at all (RFC 7208, 4.5). */
export function isSpfPolicy(record: string): boolean {
  return /^v=spf1(?:\s|$)/i.test(record.trim());
}

/** Whether a TXT record is a DMARC policy at all (RFC 7489, 6.3: the version comes first). */
export function isDmarcPolicy(record: string): boolean {
  return /^v\s*=\s*DMARC1\s*(?:\\?;|$)/.test(record.trim());
}

/** Whether a policy lets SES's servers pass; what stands behind `all` is never reached. */
function includesSes(policy: string): boolean {
  const terms = policy.trim().toLowerCase().split(/\s+/);
  const include = terms.findIndex((term) => term.replace(/^\+/, '') === `include:${spfInclude}`);
  const all = terms.findIndex((term) => /^[+?~-]?all$/.test(term));
  return include >= 0 && (all < 0 || include < all);
}

function isSameExchange(expected: ExpectedRecord, answer: MailExchange): boolean {
  return hostKey(answer.exchange) === hostKey(expected.value) && answer.priority === expected.priority;
}

function hostKey(host: string): string {
  return host.toLowerCase().replace(/\.$/, '');
}
