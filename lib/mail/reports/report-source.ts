/** Which server sent a report, and for whose mailboxes it may speak (docs/concepts/reading-mail.md#bounces-and-reports). */
import { getDomain } from 'tldts';
import { hostOf } from '../addresses/addresses.ts';
import type { Header } from '../message/headers.ts';
import type { Verdicts } from '../message/verdicts.ts';

/** The sender of a report. Host names are in lower case. */
export interface ReportSource {
  /** Hosts that SPF or DKIM proves. */
  readonly proven: readonly string[];
  /** Names that the sending server has, if its address belongs to them. */
  readonly claimed: readonly string[];
  /** Its IP address; null where the trace field is unreadable. */
  readonly address: string | null;
  /** Whether SES itself wrote the report. */
  readonly isSes: boolean;
}

interface Received {
  readonly from: string | null;
  readonly headers: readonly Header[];
  readonly verdicts: Pick<Verdicts, 'spf' | 'dkim'>;
}

/** The form in which SES writes the server that connected: `from HELO (NAME [ADDRESS]) by inbound-smtp.…`. */
const connection = /^from (\S{1,255}) \((\S{0,255}) ?\[([0-9a-fA-F.:]{2,45})\]\)\s+by inbound-smtp\./;

/**
 * The source of a report with a null return path.
 *
 * - DKIM is `PASS` only where the signing domain is the author's ("Contents of notifications for Amazon SES email receiving").
 * - SPF of a null return path is about the name in HELO (RFC 7208, 2.4).
 * - SES prepends its trace fields, so the first `Received` is its own.
 */
export function sourceOfReport({ from, headers, verdicts }: Received): ReportSource {
  const trace = headers.find(({ name }) => name.toLowerCase() === 'received')?.value ?? '';
  const [, helo = '', reverse = '', address = null] = connection.exec(trace) ?? [];
  const author = from === null ? '' : hostOf(from).toLowerCase();
  const isSigned = verdicts.dkim === 'PASS' && author !== '';
  const proven = [...(isSigned ? [author] : []), ...(verdicts.spf === 'PASS' && helo ? [helo] : [])];
  const claimed = [...new Set([helo, reverse].map((name) => name.toLowerCase().replace(/\.$/, '')))];
  return {
    proven: proven.map((name) => name.toLowerCase()),
    claimed: claimed.filter((name) => name.includes('.')),
    address,
    // The default signature of SES's customers is by this domain, too, but not as the author's.
    isSes: isSigned && organizationOf(author) === 'amazonses.com',
  };
}

/** The registered domain of a host, with suffixes such as `github.io` as registries; null for a bare suffix. */
export function organizationOf(host: string): string | null {
  return getDomain(host, { allowPrivateDomains: true });
}

/** The names among `hosts` in the same registered domain as one of `owners`. */
export function hostsOf(owners: readonly string[], hosts: readonly string[]): string[] {
  const organizations = new Set(owners.map(organizationOf).filter((one) => one !== null));
  return hosts.filter((host) => organizations.has(organizationOf(host) ?? ''));
}
