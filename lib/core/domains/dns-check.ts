/** Comparison of DNS answers with the records that a domain needs (docs/concepts/domains.md#verification). */
import type { MailExchange } from './dns-answer.ts';
import { type ExpectedRecord, spfInclude } from './records.ts';

/** Answers of a successful lookup; `txt` has the strings of each record joined (RFC 7208, 3.3). */
export interface Answers {
  readonly txt?: readonly string[];
  readonly mx?: readonly MailExchange[];
}

/**
 * The state of a record by its answers. Answers are read as mail servers read them: a value with literal quotation marks,
 * or a second SPF policy, counts as missing. After a failed lookup the caller keeps the previous state.
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

/** Whether our key is published and no other one: with two, the result is undefined (RFC 6376, 3.6.2.2). */
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
 * The tags of a DKIM or DMARC record (RFC 6376, 3.2), names in lower case, values without white space. Of two equal names
 * the first counts. Backslashes before semicolons are dropped: some DNS providers publish them.
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

/** Whether a TXT record is an SPF policy (RFC 7208, 4.5). */
export function isSpfPolicy(record: string): boolean {
  return /^v=spf1(?:\s|$)/i.test(record.trim());
}

/** Whether a TXT record is a DMARC policy: the version is its first tag (RFC 7489, 6.3). */
export function isDmarcPolicy(record: string): boolean {
  return /^v\s*=\s*DMARC1\s*(?:\\?;|$)/.test(record.trim());
}

/** Whether a policy includes SES's servers; terms after `all` are ignored (RFC 7208, 5.1). */
function includesSes(policy: string): boolean {
  const terms = policy.trim().toLowerCase().split(/\s+/);
  const include = terms.findIndex((term) => term.replace(/^\+/, '') === `include:${spfInclude}`);
  const all = terms.findIndex((term) => /^[+?~-]?all$/.test(term));
  return include >= 0 && (all < 0 || include < all);
}

function isSameExchange(expected: ExpectedRecord, answer: MailExchange): boolean {
  return hostKey(answer.exchange) === hostKey(expected.value) && answer.priority === expected.priority;
}

/** A host name in lower case without a final dot. */
export function hostKey(host: string): string {
  return host.toLowerCase().replace(/\.$/, '');
}
