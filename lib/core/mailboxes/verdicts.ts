/** What a mail provider found of a message, from the header that it puts on top of the message (RFC 8601). */
import { type Header, noVerdicts, type Verdicts } from '../email.ts';

/** Characters of the header that are read; Google's have about 600. */
const headerMax = 4000;
const methods = ['spf', 'dkim', 'dmarc'] as const;

/**
 * The verdicts of the provider of a mailbox, in the words of SES: the topmost `Authentication-Results` is the provider's
 * own, since a receiver puts it above all others and removes forged ones (RFC 8601, 5). A method that passed once has
 * passed, as DKIM of one of several signatures. The provider's spam decision is not among them: spam is left out.
 */
export function providerVerdicts(headers: readonly Header[]): Verdicts {
  const own = headers.find(({ name }) => name.toLowerCase() === 'authentication-results');
  if (!own) return noVerdicts;
  const results = own.value.slice(0, headerMax).toLowerCase().split(';');
  const verdictOf = (method: string): string | null => {
    const found = results
      .map((result) => /^\s*([a-z]+)\s*=\s*([a-z]+)/.exec(result))
      // Microsoft puts the first result where the name of the server should be.
      .filter((match) => match?.[1] === method)
      .map((match) => match?.[2] ?? '');
    if (found.length === 0) return null;
    if (found.includes('pass')) return 'PASS';
    if (found.includes('fail')) return 'FAIL';
    return found.some((result) => result === 'temperror' || result === 'permerror')
      ? 'PROCESSING_FAILED'
      : 'GRAY';
  };
  const [spf, dkim, dmarc] = methods.map(verdictOf);
  return { ...noVerdicts, spf: spf ?? null, dkim: dkim ?? null, dmarc: dmarc ?? null };
}
