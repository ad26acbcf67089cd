/**
 * The Reply-To of a received message, as far as it counts (docs/concepts/threads.md#default-recipients). In a file of its own:
 * the list of public suffixes has 120 KB.
 */
import { type Address, addressKey, hostOf } from '../addresses/addresses.ts';
import { type Header, headerValues, returnPathOf } from '../message/headers.ts';
import { parseAddressList } from '../message/received-addresses.ts';
import type { Verdicts } from '../message/verdicts.ts';
import { isAuthored } from '../reports/authorship.ts';
import { organizationOf } from '../reports/report-source.ts';

interface Addressed {
  readonly replyTo: readonly Address[];
  readonly headers: readonly Header[];
  readonly verdicts: Verdicts;
}

/**
 * The addresses of Reply-To where the author is proved, else those in the registered domain of From: whoever knows a subject can
 * write a message that joins its thread, and would have the answers.
 */
export function trustedReplyTo({ from }: { readonly from: Address }, content: Addressed): readonly Address[] {
  if (isProved(from, content)) return content.replyTo;
  const domain = domainOf(from);
  return content.replyTo.filter((address) => domainOf(address) === domain);
}

/** The checks are about the one domain in From; of several, nobody knows which (RFC 7489, 6.6.1). */
function isProved(
  { address }: Address,
  { headers, verdicts }: Pick<Addressed, 'headers' | 'verdicts'>,
): boolean {
  const authors = headerValues(headers, 'from').flatMap(parseAddressList);
  return authors.length === 1 && isAuthored(address, returnPathOf(headers), verdicts);
}

function domainOf({ address }: Address): string {
  const host = hostOf(addressKey(address));
  return organizationOf(host) ?? host;
}
