/** One fault at a time in a healthy zone. */
import { describe, expect, it } from 'vitest';
import { diagnose } from '../../../../lib/core/domains/diagnostics/diagnose.ts';
import {
  boundedExchanges,
  boundedTexts,
  emptyAnswers,
  type Query,
} from '../../../../lib/core/domains/diagnostics/zone.ts';
import { type Finding, findingIds } from '../../../../lib/core/domains/findings.ts';
import { expectedRecords, type RecordPurpose } from '../../../../lib/core/domains/records.ts';
import { createZone, type Zone, type ZoneRecord } from '../../../../lib/local/dns/zone.ts';

const publicKeyBase64 = `MIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8A${'MIIBCgKCAQEA0123456789+/'.repeat(15)}IDAQAB`;

/** A domain of a workspace with its zone, and what DNS does not answer or answers late. */
interface Case {
  readonly name: string;
  readonly wildcard: boolean;
  readonly subdomains: readonly string[];
  readonly zone: Zone;
  readonly failing: Set<string>;
  readonly slow: Set<string>;
}

function newCase(name: string, wildcard: boolean, subdomains: readonly string[] = []): Case {
  const made: Case = { name, wildcard, subdomains, zone: createZone(), failing: new Set(), slow: new Set() };
  for (const record of recordsOf(made)) {
    // The record that is listed is a beginning, and a finding of its own.
    made.zone.publish({ ...record, value: record.value.replace('p=none', 'p=reject') });
  }
  made.zone.publish({ type: 'NS', name: 'acme.test', value: 'ns1.host.test' });
  made.zone.publish({ type: 'TXT', name: 'acme.test', value: 'v=spf1 include:_spf.other.test -all' });
  made.zone.publish({
    type: 'TXT',
    name: '_spf.other.test',
    value: 'v=spf1 ip4:192.0.2.0/24 ip6:2001:db8::/32 -all',
  });
  return made;
}

function recordsOf({ name, wildcard }: Pick<Case, 'name' | 'wildcard'>) {
  return expectedRecords({ name, wildcard, region: 'us-east-1', selector: 'parley-1', publicKeyBase64 });
}

const plain = () => newCase('acme.test', false);
const wildcard = () => newCase('acme.test', true, ['shop.acme.test']);
const subdomain = () => newCase('mail.acme.test', false);

/** Asks the zone as the service asks DNS, round by round. */
function findingsOf(made: Case): readonly Finding[] {
  const domain = { ...made, records: recordsOf(made) };
  const answers = emptyAnswers();
  for (let round = 0; round < 50; round++) {
    const { findings, unanswered } = diagnose(domain, answers);
    if (unanswered.length === 0) return findings;
    for (const query of unanswered) answer(made, query, answers);
  }
  throw new Error('questions have no end');
}

function answer(made: Case, { type, name }: Query, answers: ReturnType<typeof emptyAnswers>): void {
  const { code, answers: found } = made.zone.query(name, type);
  const records = found.filter((record) => record.type === type);
  const isFailing = made.failing.has(name) || code === 'SERVFAIL';
  const missing = code === 'NXDOMAIN' ? 'nxdomain' : 'none';
  const status = isFailing ? 'failed' : records.length > 0 ? 'found' : missing;
  const ms = made.slow.has(name) ? 2500 : 20;
  const texts = isFailing ? [] : records.map(({ value }) => [value].flat().join(''));
  if (type === 'MX') {
    const values = records.map((record, at) => ({
      exchange: texts[at] === '.' ? '' : (texts[at] ?? ''),
      priority: record.priority ?? 10,
    }));
    answers.MX.set(name, boundedExchanges({ status, ms, values: isFailing ? [] : values }));
  } else {
    answers[type].set(name, boundedTexts({ status, ms, values: texts }));
  }
}

const nameOf = (made: Case, purpose: RecordPurpose): string =>
  recordsOf(made).find((record) => record.purpose === purpose)?.name ?? '';
const typeOf = (purpose: RecordPurpose) =>
  purpose === 'RETURN_PATH' || purpose === 'INBOUND' ? 'MX' : 'TXT';

function remove(made: Case, purpose: RecordPurpose): void {
  expect(made.zone.remove({ name: nameOf(made, purpose), type: typeOf(purpose) })).toBe(1);
}

/** Publishes other values in place of a record. */
function replace(made: Case, purpose: RecordPurpose, ...records: Partial<ZoneRecord>[]): void {
  remove(made, purpose);
  for (const record of records) add(made, purpose, record);
}

function add(made: Case, purpose: RecordPurpose, record: Partial<ZoneRecord>): void {
  made.zone.publish({ type: typeOf(purpose), name: nameOf(made, purpose), value: '', ...record });
}

const dkim = `v=DKIM1; k=rsa; p=${publicKeyBase64}`;
const otherKey = `v=DKIM1; k=rsa; p=${publicKeyBase64.replaceAll('0123', '9876')}`;
const txt = (value: string | readonly string[]) => ({ value });
const mx = (value: string, priority = 10) => ({ value, priority });
const inbound = 'inbound-smtp.us-east-1.amazonaws.com';
const feedback = 'feedback-smtp.us-east-1.amazonses.com';
const spfOf = (count: number) =>
  `v=spf1 ${Array.from({ length: count }, (_, at) => `a:h${at}.test`).join(' ')} -all`;

function publishHosts(made: Case, count: number): void {
  for (let at = 0; at < count; at++)
    made.zone.publish({ type: 'A', name: `h${at}.test`, value: '192.0.2.1' });
}

/** The finding of each fault; the others of a zone stay healthy. */
const faults: readonly (readonly [fault: string, id: string, make: () => Case])[] = [
  ...fault('domain_nxdomain', 'the domain is not registered', plain, (made) => {
    for (const { name } of made.zone.records()) made.zone.remove({ name });
  }),
  ...fault('dns_failing', 'the DKIM record gets SERVFAIL', plain, (made) =>
    made.failing.add(nameOf(made, 'DKIM')),
  ),
  ...fault('dns_failing', 'nothing answers', plain, (made) => {
    for (const { name } of [...made.zone.records(), { name: 'bounces.acme.test' }]) made.failing.add(name);
  }),
  ...fault('dns_failing', 'an included SPF policy gets no answer', plain, (made) =>
    made.failing.add('_spf.other.test'),
  ),
  ...fault('dns_failing', 'the MX record is a CNAME loop', plain, (made) => {
    remove(made, 'INBOUND');
    made.zone.remove({ name: 'acme.test' });
    made.zone.publish({ type: 'CNAME', name: 'acme.test', value: 'loop.acme.test' });
    made.zone.publish({ type: 'CNAME', name: 'loop.acme.test', value: 'acme.test' });
  }),
  ...fault('dns_slow', 'the DMARC record takes 2.5 seconds', plain, (made) =>
    made.slow.add(nameOf(made, 'DMARC')),
  ),
  ...fault('cname_conflict', 'a CNAME is beside the return path', plain, (made) =>
    made.zone.publish({ type: 'CNAME', name: 'bounces.acme.test', value: 'other.test' }),
  ),
  ...fault('cname_conflict', 'a CNAME is in place of the return path', plain, (made) => {
    remove(made, 'RETURN_PATH');
    remove(made, 'SPF');
    made.zone.publish({ type: 'CNAME', name: 'bounces.acme.test', value: 'other.test' });
  }),
  ...fault('cname_conflict', 'a CNAME is in place of the DKIM record', plain, (made) => {
    remove(made, 'DKIM');
    made.zone.publish({ type: 'CNAME', name: nameOf(made, 'DKIM'), value: 'key.other.test' });
  }),

  ...fault('dkim_missing', 'it is not published', plain, (made) => remove(made, 'DKIM')),
  ...fault('dkim_missing', 'a wildcard TXT record answers for it', plain, (made) =>
    replace(made, 'DKIM', txt('some text of a wildcard')),
  ),
  ...fault('dkim_other_key', 'it has another key', plain, (made) => replace(made, 'DKIM', txt(otherKey))),
  ...fault('dkim_other_key', 'it is revoked', plain, (made) =>
    replace(made, 'DKIM', txt('v=DKIM1; k=rsa; p=')),
  ),
  ...fault('dkim_split', 'it is in two records', plain, (made) =>
    replace(made, 'DKIM', txt(dkim.slice(0, 250)), txt(dkim.slice(250))),
  ),
  ...fault('dkim_split', 'the quotation marks are part of the value', plain, (made) =>
    replace(made, 'DKIM', txt(`"${dkim.slice(0, 250)}" "${dkim.slice(250)}"`)),
  ),
  ...fault('dkim_split', 'it ends after 255 characters', plain, (made) =>
    replace(made, 'DKIM', txt(dkim.slice(0, 255))),
  ),
  ...fault('dkim_multiple', 'another key is beside it', plain, (made) => add(made, 'DKIM', txt(otherKey))),
  ...fault('dkim_invalid', 'its key type is ed25519', plain, (made) =>
    replace(made, 'DKIM', txt(dkim.replace('k=rsa', 'k=ed25519'))),
  ),
  ...fault('dkim_invalid', 'it allows sha1 only', plain, (made) =>
    replace(made, 'DKIM', txt(dkim.replace('k=rsa', 'h=sha1; k=rsa'))),
  ),

  ...fault('return_path_missing', 'it is not published', plain, (made) => remove(made, 'RETURN_PATH')),
  ...fault('return_path_elsewhere', 'it names another host', plain, (made) =>
    replace(made, 'RETURN_PATH', mx('mx.other.test')),
  ),
  ...fault('return_path_multiple', 'another host is beside it', plain, (made) =>
    add(made, 'RETURN_PATH', mx('mx.other.test', 20)),
  ),
  ...fault('return_path_wrong_region', 'it names another region', plain, (made) =>
    replace(made, 'RETURN_PATH', mx('feedback-smtp.eu-central-1.amazonses.com')),
  ),
  ...fault('return_path_wrong_priority', 'its priority is 20', plain, (made) =>
    replace(made, 'RETURN_PATH', mx(feedback, 20)),
  ),

  ...fault('spf_missing', 'it is not published', plain, (made) => remove(made, 'SPF')),
  ...fault('spf_multiple', 'there are two', plain, (made) =>
    add(made, 'SPF', txt('v=spf1 include:amazonses.com -all')),
  ),
  ...fault('spf_multiple', 'the domain has two', plain, (made) =>
    add(made, 'INBOUND', { type: 'TXT', value: 'v=spf1 -all' }),
  ),
  ...fault('spf_invalid', 'it has an unknown mechanism', plain, (made) =>
    replace(made, 'SPF', txt('v=spf1 include:amazonses.com ipv4:192.0.2.1 ~all')),
  ),
  ...fault('spf_invalid', 'it includes a name without a policy', plain, (made) =>
    replace(made, 'SPF', txt('v=spf1 include:amazonses.com include:acme.example.test ~all')),
  ),
  ...fault('spf_include_missing', 'it does not include SES', plain, (made) =>
    replace(made, 'SPF', txt('v=spf1 include:_spf.other.test ~all')),
  ),
  ...fault('spf_include_missing', 'SES comes after all', plain, (made) =>
    replace(made, 'SPF', txt('v=spf1 ~all include:amazonses.com')),
  ),
  ...fault('spf_pass_all', 'it ends in +all', plain, (made) =>
    replace(made, 'SPF', txt('v=spf1 include:amazonses.com +all')),
  ),
  ...fault('spf_pass_all', 'that of the domain ends in all', plain, (made) => {
    made.zone.remove({ name: 'acme.test', type: 'TXT' });
    made.zone.publish({ type: 'TXT', name: 'acme.test', value: 'v=spf1 ip4:192.0.2.1 ALL' });
  }),
  ...fault('spf_too_many_lookups', 'it names 10 hosts beside SES', plain, (made) => {
    publishHosts(made, 10);
    replace(made, 'SPF', txt(spfOf(10).replace(' -all', ' include:amazonses.com ~all')));
  }),
  ...fault('spf_too_many_lookups', 'included policies need 11', plain, (made) => {
    publishHosts(made, 10);
    made.zone.remove({ name: '_spf.other.test' });
    made.zone.publish({ type: 'TXT', name: '_spf.other.test', value: spfOf(10) });
  }),
  ...fault('spf_too_many_lookups', 'a redirect leads to 11', plain, (made) => {
    publishHosts(made, 10);
    made.zone.remove({ name: 'acme.test', type: 'TXT' });
    made.zone.publish({ type: 'TXT', name: 'acme.test', value: 'v=spf1 redirect=_spf.other.test' });
    made.zone.remove({ name: '_spf.other.test' });
    made.zone.publish({ type: 'TXT', name: '_spf.other.test', value: spfOf(10) });
  }),
  ...fault('spf_too_many_lookups', 'policies include each other', plain, (made) => {
    made.zone.remove({ name: '_spf.other.test' });
    made.zone.publish({ type: 'TXT', name: '_spf.other.test', value: 'v=spf1 include:_b.other.test -all' });
    made.zone.publish({ type: 'TXT', name: '_b.other.test', value: 'v=spf1 include:_spf.other.test -all' });
  }),
  ...fault('spf_void_lookups', 'it names three hosts that do not exist', plain, (made) =>
    replace(
      made,
      'SPF',
      txt('v=spf1 a:x.void.test mx:y.void.test exists:z.void.test include:amazonses.com ~all'),
    ),
  ),

  ...fault('dmarc_missing', 'it is not published', plain, (made) => remove(made, 'DMARC')),
  ...fault('dmarc_multiple', 'there are two', plain, (made) =>
    add(made, 'DMARC', txt('v=DMARC1; p=quarantine')),
  ),
  ...fault('dmarc_invalid', 'its policy is unknown', plain, (made) =>
    replace(made, 'DMARC', txt('v=DMARC1; p=quarantine-all')),
  ),
  ...fault('dmarc_invalid', 'it has no policy', plain, (made) =>
    replace(made, 'DMARC', txt('v=DMARC1; rua=mailto:d@acme.test')),
  ),
  ...fault('dmarc_invalid', 'the version is not first', plain, (made) =>
    replace(made, 'DMARC', txt('p=reject; v=DMARC1')),
  ),
  ...fault('dmarc_invalid', 'reports go to an address that is no URI', plain, (made) =>
    replace(made, 'DMARC', txt('v=DMARC1; p=reject; rua=d@acme.test')),
  ),
  ...fault('dmarc_inherited', 'the parent domain has the policy', subdomain, (made) => {
    remove(made, 'DMARC');
    made.zone.publish({ type: 'TXT', name: '_dmarc.acme.test', value: 'v=DMARC1; p=reject; sp=quarantine' });
  }),
  ...fault('dmarc_missing', 'neither the subdomain nor its parent has one', subdomain, (made) =>
    remove(made, 'DMARC'),
  ),
  ...fault('dmarc_policy_none', 'it is as we list it', plain, (made) =>
    replace(made, 'DMARC', txt('v=DMARC1; p=none;')),
  ),
  ...fault('dmarc_strict_alignment', 'a wildcard has adkim=s', wildcard, (made) =>
    replace(made, 'DMARC', txt('v=DMARC1; p=reject; adkim=s')),
  ),

  ...fault('mx_missing', 'it is not published', plain, (made) => remove(made, 'INBOUND')),
  ...fault('mx_missing', 'a wildcard has none', wildcard, (made) => remove(made, 'INBOUND')),
  ...fault('mx_null', 'the domain receives no mail', plain, (made) => replace(made, 'INBOUND', mx('.', 0))),
  ...fault('mx_other_receiver', 'another receiver has the mail', plain, (made) =>
    replace(made, 'INBOUND', mx('aspmx.l.other.test', 1), mx('alt1.aspmx.l.other.test', 5)),
  ),
  ...fault('mx_conflict', 'another receiver is beside ours', plain, (made) =>
    add(made, 'INBOUND', mx('aspmx.l.other.test', 5)),
  ),
  ...fault('mx_conflict', 'another region is beside ours', plain, (made) =>
    add(made, 'INBOUND', mx('inbound-smtp.eu-central-1.amazonaws.com')),
  ),
  ...fault('mx_wrong_region', 'it names another region', plain, (made) =>
    replace(made, 'INBOUND', mx('inbound-smtp.eu-central-1.amazonaws.com')),
  ),
  ...fault('mx_wrong_priority', 'its priority is 5', plain, (made) =>
    replace(made, 'INBOUND', mx(inbound, 5)),
  ),
  ...fault('wildcard_shadowed', 'a subdomain has an address record', wildcard, (made) =>
    made.zone.publish({ type: 'A', name: 'shop.acme.test', value: '192.0.2.1' }),
  ),
  ...fault('wildcard_shadowed', 'a subdomain has an MX record of another receiver', wildcard, (made) =>
    made.zone.publish({ type: 'MX', name: 'shop.acme.test', value: 'mx.other.test', priority: 10 }),
  ),
];

/** A row of the table. */
function fault(
  id: Finding['id'],
  what: string,
  make: () => Case,
  change: (made: Case) => unknown,
): [string, string, () => Case][] {
  const faulty = () => {
    const made = make();
    change(made);
    return made;
  };
  return [[what, id, faulty]];
}

describe('diagnose', () => {
  it.each([
    ['a domain', plain],
    ['a wildcard', wildcard],
    ['a subdomain', subdomain],
  ])('finds nothing when the zone of %s is healthy', (_, make) => {
    expect(findingsOf(make())).toEqual([]);
  });

  it.each<[string, (made: Case) => unknown]>([
    [
      'names are in upper case',
      (made) => replace(made, 'INBOUND', mx('INBOUND-SMTP.us-east-1.AmazonAWS.com.')),
    ],
    [
      'the key is in strings of 100 characters',
      (made) => replace(made, 'DKIM', txt([dkim.slice(0, 100), dkim.slice(100, 200), dkim.slice(200)])),
    ],
    ['semicolons are escaped', (made) => replace(made, 'DKIM', txt(dkim.replaceAll(';', '\\;')))],
    [
      'the DKIM record is behind a CNAME',
      (made) => {
        remove(made, 'DKIM');
        made.zone.publish({ type: 'CNAME', name: nameOf(made, 'DKIM'), value: 'key.other.test' });
        made.zone.publish({ type: 'TXT', name: 'key.other.test', value: dkim });
      },
    ],
    [
      'the return path is behind a CNAME',
      (made) => {
        remove(made, 'RETURN_PATH');
        remove(made, 'SPF');
        made.zone.publish({ type: 'CNAME', name: 'bounces.acme.test', value: 'b.other.test' });
        made.zone.publish({ type: 'MX', name: 'b.other.test', value: feedback, priority: 10 });
        made.zone.publish({ type: 'TXT', name: 'b.other.test', value: 'v=spf1 include:amazonses.com -all' });
      },
    ],
    [
      'the domain has no SPF record of its own',
      (made) => made.zone.remove({ name: 'acme.test', type: 'TXT' }),
    ],
    ['other TXT records are beside', (made) => add(made, 'SPF', txt('google-site-verification=abc'))],
    [
      'an SPF policy makes exactly 10 look-ups',
      (made) => {
        publishHosts(made, 9);
        replace(made, 'SPF', txt(spfOf(9).replace(' -all', ' include:amazonses.com ~all')));
      },
    ],
    [
      'an SPF policy has macros',
      (made) =>
        replace(made, 'SPF', txt('v=spf1 include:amazonses.com exists:%{i}._spf.%{d} exp=e.%{d} ~all')),
    ],
    [
      'two terms of an SPF policy find nothing',
      (made) => replace(made, 'SPF', txt('v=spf1 a:x.void.test a:y.void.test include:amazonses.com ~all')),
    ],
    [
      'the DMARC record has all tags',
      (made) =>
        replace(
          made,
          'DMARC',
          txt(
            'v=DMARC1;p=reject;sp=none;pct=50;adkim=s;aspf=r;fo=1;ri=60;rua=mailto:a@b.test!10m,https://c.test',
          ),
        ),
    ],
  ])('finds nothing when %s', (_, change) => {
    const made = plain();
    change(made);
    expect(findingsOf(made)).toEqual([]);
  });

  it.each(faults)('finds nothing else when %s: %s', (_, id, make) => {
    const findings = findingsOf(make());
    expect(findings.map((one) => one.id)).toEqual([id]);
    const [only] = findings;
    expect(only?.detail).toMatch(/\.$/);
    expect(only?.evidence.length).toBeGreaterThan(0);
  });

  it.each<[string, RecordPurpose, string, string]>([
    ['the return path', 'SPF', 'v=spf1 include:amazonses.com +all', 'v=spf1 include:amazonses.com ~all'],
    [
      'the domain',
      'INBOUND',
      'v=spf1 ip4:192.0.2.1 ALL',
      'v=spf1 include:_spf.other.test ip4:192.0.2.1 -all',
    ],
    ['the domain, first', 'INBOUND', 'v=spf1 all', 'v=spf1 include:_spf.other.test -all'],
  ])(
    'finds +all, and proposes one record without it, when there is a second SPF record of %s',
    (where, purpose, value, proposed) => {
      const made = plain();
      if (where.endsWith('first')) {
        made.zone.remove({ name: 'acme.test', type: 'TXT' });
        made.zone.publish({ type: 'TXT', name: 'acme.test', value });
        made.zone.publish({ type: 'TXT', name: 'acme.test', value: 'v=spf1 include:_spf.other.test -all' });
      } else add(made, purpose, { type: 'TXT', value });
      const findings = findingsOf(made);
      expect(findings.map(({ id }) => id)).toEqual(['spf_multiple', 'spf_pass_all']);
      for (const { fix } of findings) expect(fix).toContain(proposed);
    },
  );

  it('has a fault in this table for every finding about DNS', () => {
    const tested = new Set(faults.map(([, id]) => id));
    expect(findingIds.filter((id) => !tested.has(id) && !id.startsWith('identity_'))).toEqual([]);
  });

  /** Findings that a record in the fix cannot mend: name servers, terms of other services, the wish to keep them. */
  const needsJudgement = new Set(['dns_failing', 'dns_slow', 'domain_nxdomain', 'dmarc_inherited']);
  const mendable = faults.filter(
    ([what, id]) => !needsJudgement.has(id) && !/domain|included|redirect|each other/.test(what),
  );

  it.each(mendable)('names the record that mends the zone when %s: %s', (_, __, make) => {
    const made = make();
    const [found] = findingsOf(made);
    const lines = found?.fix.split('\n').slice(1) ?? [];
    expect(lines.length).toBeGreaterThan(0);
    const published = lines.map(readLine);
    for (const { name, type } of published) {
      made.zone.remove({ name, type });
      made.zone.remove({ name, type: 'CNAME' });
    }
    for (const record of published) made.zone.publish(record);
    // The policy that we list is a beginning.
    const left = findingsOf(made).filter(({ id }) => id !== 'dmarc_policy_none');
    expect(left).toEqual([]);
  });
});

/** A line of a zone file. */
function readLine(line: string): ZoneRecord {
  const [, name = '', type = '', data = ''] = /^(\S+)\. 3600 IN (TXT|MX) (.+)$/.exec(line) ?? [];
  if (type === 'MX') {
    const [priority, host = ''] = data.split(' ');
    return { type, name, value: host, priority: Number(priority) };
  }
  expect(type).toBe('TXT');
  const strings = [...data.matchAll(/"((?:[^"\\]|\\.)*)"/g)].map(([, text = '']) => text);
  expect(strings.filter((text) => text.length > 255)).toEqual([]);
  return { type: 'TXT', name, value: strings };
}
