/** Records to publish, and their state by DNS answers. */
import { describe, expect, it } from 'vitest';
import { type Answers, recordState } from '../../../lib/core/domains/dns-check.ts';
import { expectedRecords, type RecordPurpose } from '../../../lib/core/domains/records.ts';

const acme = {
  name: 'acme.dev',
  wildcard: false,
  region: 'eu-central-1',
  selector: 's1',
  publicKeyBase64: 'MIIBkey+/=',
};

describe('expectedRecords', () => {
  it('lists DKIM, return path, SPF, DMARC and inbound for the region', () => {
    expect(expectedRecords(acme)).toEqual([
      {
        purpose: 'DKIM',
        type: 'TXT',
        name: 's1._domainkey.acme.dev',
        value: 'v=DKIM1; k=rsa; p=MIIBkey+/=',
        priority: null,
        ttl: 3600,
      },
      {
        purpose: 'RETURN_PATH',
        type: 'MX',
        name: 'bounces.acme.dev',
        value: 'feedback-smtp.eu-central-1.amazonses.com',
        priority: 10,
        ttl: 3600,
      },
      {
        purpose: 'SPF',
        type: 'TXT',
        name: 'bounces.acme.dev',
        value: 'v=spf1 include:amazonses.com ~all',
        priority: null,
        ttl: 3600,
      },
      {
        purpose: 'DMARC',
        type: 'TXT',
        name: '_dmarc.acme.dev',
        value: 'v=DMARC1; p=none;',
        priority: null,
        ttl: 3600,
      },
      {
        purpose: 'INBOUND',
        type: 'MX',
        name: 'acme.dev',
        value: 'inbound-smtp.eu-central-1.amazonaws.com',
        priority: 10,
        ttl: 3600,
      },
    ]);
  });

  it('puts only the inbound record at the wildcard when the domain is one', () => {
    const names = expectedRecords({ ...acme, wildcard: true }).map(({ purpose, name }) => [purpose, name]);
    expect(names.filter(([, name]) => name?.startsWith('*.'))).toEqual([['INBOUND', '*.acme.dev']]);
  });
});

describe('recordState', () => {
  const state = (purpose: RecordPurpose, answers: Answers) =>
    expectedRecords(acme)
      .filter((record) => record.purpose === purpose)
      .map((record) => recordState(record, answers))[0];

  it('is missing for every record when the answers are empty', () => {
    for (const record of expectedRecords(acme)) expect(recordState(record, {})).toBe('missing');
  });

  it('is verified for every record when it is published as listed', () => {
    for (const record of expectedRecords(acme)) {
      const answers =
        record.type === 'MX'
          ? { mx: [{ exchange: record.value, priority: record.priority }] }
          : { txt: ['google-site-verification=x', record.value] };
      expect(recordState(record, answers)).toBe('verified');
    }
  });

  it.each([
    ['as it is written', ['v=DKIM1; k=rsa; p=MIIBkey+/='], 'verified'],
    ['with white space inside the key', ['v=DKIM1;k=rsa;p=MIIB key\t+/= ;'], 'verified'],
    ['with more tags', ['v=DKIM1; t=s; p=MIIBkey+/='], 'verified'],
    ['with escaped semicolons', ['v=DKIM1\\; k=rsa\\; p=MIIBkey+/='], 'verified'],
    ['with the key alone', ['p=MIIBkey+/='], 'verified'],
    ['another key', ['v=DKIM1; k=rsa; p=OTHER'], 'missing'],
    ['a key that differs in case', ['v=DKIM1; k=rsa; p=miibkey+/='], 'missing'],
    ['a revoked key', ['v=DKIM1; p='], 'missing'],
    ['a key of another kind', ['v=DKIM1; k=ed25519; p=MIIBkey+/='], 'missing'],
    ['ours beside another', ['v=DKIM1; p=MIIBkey+/=', 'v=DKIM1; p=OTHER'], 'missing'],
    ['in literal quotes', ['"v=DKIM1; k=rsa; p=MIIBkey+/="'], 'missing'],
    ['split with literal quotes', ['v=DKIM1; k=rsa; p=MIIB" "key+/='], 'missing'],
  ])('decides DKIM when published %s', (_how, txt, expected) => {
    expect(state('DKIM', { txt })).toBe(expected);
  });

  it.each([
    [['v=spf1 include:amazonses.com ~all'], 'verified'],
    [['V=SPF1  ip4:192.0.2.1 +include:AmazonSES.com -all'], 'verified'],
    [['v=spf1 -all include:amazonses.com'], 'missing'],
    [['v=spf1 -include:amazonses.com ~all'], 'missing'],
    [['v=spf1 include:other.example ~all'], 'missing'],
    [['v=spf1 include:amazonses.com ~all', 'v=spf1 -all'], 'missing'],
    [['v=spf10 include:amazonses.com'], 'missing'],
  ])('of SPF with %j is %s', (txt, expected) => {
    expect(state('SPF', { txt })).toBe(expected);
  });

  it('of DMARC is verified when there is exactly one policy', () => {
    expect(state('DMARC', { txt: ['v=DMARC1; p=reject; rua=mailto:a@acme.dev'] })).toBe('verified');
    expect(state('DMARC', { txt: ['p=none; v=DMARC1'] })).toBe('missing');
    expect(state('DMARC', { txt: ['v=DMARC1; p=none', 'v=DMARC1; p=reject'] })).toBe('missing');
  });

  it('of MX compares host and priority, and allows no second record of a return path', () => {
    const ours = { exchange: 'FEEDBACK-smtp.eu-central-1.amazonses.com.', priority: 10 };
    const other = { exchange: 'mx.other.example', priority: 5 };
    expect(state('RETURN_PATH', { mx: [ours] })).toBe('verified');
    expect(state('RETURN_PATH', { mx: [ours, other] })).toBe('missing');
    expect(state('RETURN_PATH', { mx: [{ ...ours, priority: 20 }] })).toBe('missing');
    const inbound = { exchange: 'inbound-smtp.eu-central-1.amazonaws.com', priority: 10 };
    expect(state('INBOUND', { mx: [other, inbound] })).toBe('verified');
    expect(state('INBOUND', { mx: [{ ...inbound, exchange: 'inbound-smtp.us-east-1.amazonaws.com' }] })).toBe(
      'missing',
    );
  });
});
