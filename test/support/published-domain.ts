/** Domains as the API shows them, and their records in the DNS of the local cloud. */
import { cloud } from './cloud.ts';

export interface DnsRecord {
  readonly purpose: string;
  readonly type: string;
  readonly name: string;
  readonly value: string;
  readonly priority: number | null;
  readonly state: string;
  readonly last_checked_at: string | null;
}

export interface DomainBody {
  readonly id: string;
  readonly name: string;
  readonly parent_id: string | null;
  readonly verified_at: string | null;
  readonly created_at: string;
  readonly findings: readonly { readonly id: string; readonly detail: string }[];
  readonly records: readonly DnsRecord[];
  /** Of a problem. */
  readonly code: string;
}

type Records = Pick<DomainBody, 'records'>;

export const dkimOf = ({ records }: Records): readonly DnsRecord[] =>
  records.filter(({ purpose }) => purpose === 'DKIM');

/** Publishes the records of a domain, or those of some purposes. */
export async function publish({ records }: Records, purposes?: readonly string[]): Promise<void> {
  const wanted = records.filter(({ purpose }) => !purposes || purposes.includes(purpose));
  const published = wanted.map(({ type, name, value, priority }) => ({ type, name, value, priority }));
  await cloud().control('POST', '/dns', { records: published });
}

/** Removes the DKIM record of a domain from DNS. */
export async function unpublishDkim(domain: Records): Promise<void> {
  await cloud().control('DELETE', '/dns', { name: dkimOf(domain)[0]?.name });
}
