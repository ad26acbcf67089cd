/** Message-IDs: recognising our own and those of SES (RFC 5322 3.6.4). */

import { splitAddress } from '../../mail/addresses/addresses.ts';
import { type EmailId, parseId } from '../ids.ts';

/** The part before the last `@`, without brackets; the whole id if there is no `@`. */
export function localPart(messageId: string): string {
  return split(messageId).local;
}

/** The email id in a Message-ID of our form, `<eml_…@domain>`; null for any other. */
export function ownEmailId(messageId: string): EmailId | null {
  return parseId('eml', localPart(messageId).toLowerCase());
}

/**
 * The form in which Message-IDs are compared. SES ids are compared by local part, since the host differs by region. Case
 * does not count: some gateways rewrite it.
 */
export function comparableId(messageId: string): string {
  return (sesIdOf(messageId) ?? messageId).toLowerCase();
}

/** The Message-ID of an email before submission. SES replaces the header; the id stays valid in `References`. */
export function ownMessageId(emailId: EmailId, domain: string): string {
  return `<${emailId}@${domain}>`;
}

/**
 * The SES message id in a Message-ID that SES wrote: `<id@email.amazonses.com>` in us-east-1, `<id@region.amazonses.com>`
 * elsewhere. Null for any other.
 */
export function sesIdOf(messageId: string): string | null {
  const { local, domain } = split(messageId);
  return local !== '' && domain.endsWith('.amazonses.com') ? local : null;
}

/** The Message-ID header that SES writes. us-east-1 uses the host `email.amazonses.com`. */
export function wireMessageId(region: string, sesId: string): string {
  const host = region === 'us-east-1' ? 'email' : region;
  return `<${sesId}@${host}.amazonses.com>`;
}

function split(messageId: string): { local: string; domain: string } {
  const bare = messageId.trim().replace(/^</, '').replace(/>$/, '');
  if (!bare.includes('@')) return { local: bare, domain: '' };
  const { local, host } = splitAddress(bare);
  return { local, domain: host.toLowerCase() };
}
