import { describe, expect, it } from 'vitest';
import type { Lookup } from '../../../lib/adapters/dns.ts';
import type { MailExchange, TimedAnswer } from '../../../lib/core/domains/dns-answer.ts';
import type { ReportSource } from '../../../lib/mail/reports/report-source.ts';
import { reportableBy } from '../../../lib/services/receiving/report-trust.ts';

const nothing: ReportSource = { proven: [], claimed: [], address: null, isSes: false };

const exchanges: Readonly<Record<string, string>> = { 'hosted.test': 'aspmx.l.google.com' };
const addresses: Readonly<Record<string, string>> = {
  'mail-1.google.com': '192.0.2.7',
  'mx.own.test': '192.0.2.8',
};

/** A zone with these records, which notes what it was asked. */
function zone() {
  const asked: string[] = [];
  const found = <T>(values: T[]): TimedAnswer<T> => ({
    status: values.length > 0 ? 'found' : 'nxdomain',
    values,
    ms: 0,
  });
  const lookup: Pick<Lookup, 'mx' | 'a' | 'aaaa'> = {
    mx: async (name) => {
      asked.push(`MX ${name}`);
      const exchange = exchanges[name];
      return found<MailExchange>(exchange ? [{ exchange, priority: 1 }] : []);
    },
    a: async (name) => {
      asked.push(`A ${name}`);
      const address = addresses[name];
      return found(address ? [address] : []);
    },
    aaaa: async () => ({ status: 'failed', values: [], ms: 0 }),
  };
  return { lookup, asked };
}

const trusted = async (source: Partial<ReportSource>, about: readonly string[]) => [
  ...(await reportableBy({ ...nothing, ...source }, about, zone().lookup)),
];

describe('reportableBy', () => {
  const about = ['ann@own.test', 'ben@hosted.test', 'cy@else.test'];

  it('trusts a proven host for addresses in its registered domain only', async () => {
    expect(await trusted({ proven: ['out.own.test'] }, about)).toEqual(['ann@own.test']);
  });

  it('trusts a proven host for addresses whose mail exchange is in its registered domain', async () => {
    expect(await trusted({ proven: ['mail-9.google.com'] }, about)).toEqual(['ben@hosted.test']);
  });

  it('trusts a claimed name only when it resolves to the address of the server', async () => {
    const names = { claimed: ['mail-1.google.com', 'mx.own.test'] };
    expect(await trusted({ ...names, address: '192.0.2.7' }, about)).toEqual(['ben@hosted.test']);
    expect(await trusted({ ...names, address: '192.0.2.9' }, about)).toEqual([]);
    expect(await trusted({ ...names, address: null }, about)).toEqual([]);
    expect(await trusted({ ...names, address: '2001:db8::1' }, about)).toEqual([]);
  });

  it('trusts SES for every address, without a lookup', async () => {
    const { lookup, asked } = zone();
    expect([...(await reportableBy({ ...nothing, isSes: true }, about, lookup))]).toEqual(about);
    expect(asked).toEqual([]);
  });

  it('looks up ten domains at most, each once, and no name of another organization', async () => {
    const { lookup, asked } = zone();
    const many = Array.from({ length: 40 }, (_, at) => `a@d${at % 20}.test`);
    const source = { ...nothing, claimed: ['mx.evil.test'], address: '192.0.2.1' };
    expect((await reportableBy(source, many, lookup)).size).toBe(0);
    expect(asked).toEqual(Array.from({ length: 10 }, (_, at) => `MX d${at}.test`));
  });
});
