/** Results of DNS look-ups. */

export interface MailExchange {
  readonly exchange: string;
  readonly priority: number;
}

export interface DnsAnswer<T> {
  /**
   * `none`: the name exists without such a record; `nxdomain`: the name does not exist; `failed`: no server gave a usable
   * answer, and the record may exist.
   */
  readonly status: 'found' | 'none' | 'nxdomain' | 'failed';
  readonly values: readonly T[];
}

/** With the time that the resolver took for it. */
export interface TimedAnswer<T> extends DnsAnswer<T> {
  readonly ms: number;
}
