/**
 * The Reply-To of a received message, as far as it counts (docs/concepts/threads.md#default-recipients). In a file of its own:
 * the list of public suffixes has 120 KB.
 */
import type { EmailContent, EmailHead } from '../email.ts';
import { type Address, addressKey, hostOf } from '../mail/addresses.ts';
import { isAuthored } from '../mail/authorship.ts';
import { headerValues, returnPathOf } from '../mail/headers.ts';
import { parseAddressList } from '../mail/received-addresses.ts';
import { organizationOf } from '../mail/report-source.ts';

/**
 * The addresses of Reply-To where the author is proved, else those in the registered domain of From: whoever knows a subject can
 * write a message that joins its thread, and would have the answers.
 */
export function trustedReplyTo(
  { from }: Pick<EmailHead, 'from'>,
  content: Pick<EmailContent, 'replyTo' | 'headers' | 'verdicts'>,
): readonly Address[] {
  if (isProved(from, content)) return content.replyTo;
  const domain = domainOf(from);
  return content.replyTo.filter((address) => domainOf(address) === domain);
}

/** The checks are about the one domain in From; of several, nobody knows which (RFC 7489, 6.6.1). */
function isProved(
  { address }: Address,
  { headers, verdicts }: Pick<EmailContent, 'headers' | 'verdicts'>,
): boolean {
  const authors = headerValues(headers, 'from').flatMap(parseAddressList);
  return authors.length === 1 && isAuthored(address, returnPathOf(headers), verdicts);
}

function domainOf({ address }: Address): string {
  const host = hostOf(addressKey(address));
  return organizationOf(host) ?? host;
}
