/** Whether a received message is from its author. In a file of its own: the list of public suffixes has 120 KB. */

import { hostOf } from '../addresses/addresses.ts';
import type { Verdicts } from '../message/verdicts.ts';
import { organizationOf } from './report-source.ts';

/**
 * Whether the domain in `From` vouches for the message: by DKIM, whose `PASS` includes that the domains match ("Contents of
 * notifications for Amazon SES email receiving"), or by SPF for a return path in the same registered domain (RFC 7489, 3.1.2).
 */
export function isAuthored(
  from: string,
  returnPath: string,
  { spf, dkim }: Pick<Verdicts, 'spf' | 'dkim'>,
): boolean {
  if (dkim === 'PASS') return true;
  const organization = organizationOf(hostOf(from));
  return spf === 'PASS' && organization !== null && organization === organizationOf(hostOf(returnPath));
}
