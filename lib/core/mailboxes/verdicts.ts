/** What a mail provider found of a message, from the header that it puts on top of the message (RFC 8601). */

import { addressKey, hostOf } from '../../mail/addresses/addresses.ts';
import type { Header } from '../../mail/message/headers.ts';
import type { Verdicts } from '../../mail/message/verdicts.ts';
import { isUnder } from '../domains/reserved.ts';
import { noVerdicts } from '../emails/email.ts';

/** Characters of the header that are read; Google's have about 600. */
const headerMax = 4000;
const methods = ['spf', 'dkim', 'dmarc'] as const;
/** The domain that signed (RFC 8601, 2.7.1): Google writes `header.i`, Microsoft `header.d`. */
const signer = /\bheader\.[di]\s*=\s*(?:[^\s;@]{0,64}@)?([a-z0-9.-]+)(?=\s|$)/;

/**
 * The verdicts of the provider of a mailbox, in the words of SES: the topmost `Authentication-Results` is the provider's
 * own, since a receiver puts it above all others and removes forged ones (RFC 8601, 5). A method that passed once has
 * passed, as DKIM of one of several signatures. A signature of another domain than the author's is `GRAY`, as with SES
 * ("Contents of notifications for Amazon SES email receiving"): anybody can sign as themselves. The provider's spam decision
 * is not among them: spam is left out.
 *
 * @param author the address in From; null where there is none
 */
export function providerVerdicts(headers: readonly Header[], author: string | null): Verdicts {
  const own = headers.find(({ name }) => name.toLowerCase() === 'authentication-results');
  if (!own) return noVerdicts;
  const results = own.value.slice(0, headerMax).toLowerCase().split(';');
  const [spf, dkim, dmarc] = methods.map((method) => verdictOf(method, results, author));
  return { ...noVerdicts, spf: spf ?? null, dkim: dkim ?? null, dmarc: dmarc ?? null };
}

/** The verdict of a method; null where no result names it. */
function verdictOf(method: string, results: readonly string[], author: string | null): string | null {
  const found = results
    .map((result) => ({ result, match: /^\s*([a-z]+)\s*=\s*([a-z]+)/.exec(result) }))
    // Microsoft puts the first result where the name of the server should be.
    .filter(({ match }) => match?.[1] === method)
    .map(({ result, match }) => {
      const isForeign = method === 'dkim' && match?.[2] === 'pass' && !isOfAuthor(result, author);
      return isForeign ? 'foreign' : (match?.[2] ?? '');
    });
  if (found.length === 0) return null;
  if (found.includes('pass')) return 'PASS';
  if (found.includes('fail')) return 'FAIL';
  return found.some((result) => result === 'temperror' || result === 'permerror')
    ? 'PROCESSING_FAILED'
    : 'GRAY';
}

/** Whether the signing domain is that of the author, above it or below it. */
function isOfAuthor(result: string, author: string | null): boolean {
  const signed = signer.exec(result)?.[1]?.replace(/\.$/, '') ?? '';
  const host = author === null ? '' : hostOf(addressKey(author));
  return signed.includes('.') && (isUnder(signed, host) || isUnder(host, signed));
}
