import { describe, expect, it } from 'vitest';
import { hostsOf, organizationOf, sourceOfReport } from '../../../lib/mail/reports/report-source.ts';

const received = (from: string) => ({
  name: 'Received',
  value: `from ${from} by inbound-smtp.us-east-1.amazonaws.com with SMTP id d6iit for a@b.test; Fri, 11 Sep 2015 20:32:33 +0000 (UTC)`,
});
const trace = received('mail-lf1-f54.google.com (mail-lf1-f54.google.com [209.85.167.54])');
const gray = { spf: 'GRAY', dkim: 'GRAY' };

describe('sourceOfReport', () => {
  it('claims the names of the connecting server, and proves none, when SPF and DKIM are GRAY', () => {
    const headers = [trace, received('mx.victim.test (mx.victim.test [192.0.2.1])')];
    expect(sourceOfReport({ from: 'mailer-daemon@googlemail.com', headers, verdicts: gray })).toEqual({
      proven: [],
      claimed: ['mail-lf1-f54.google.com'],
      address: '209.85.167.54',
      isSes: false,
    });
  });

  it('proves the author by DKIM and the name in HELO by SPF', () => {
    const verdicts = { spf: 'PASS', dkim: 'PASS' };
    const { proven } = sourceOfReport({ from: 'Mailer-Daemon@GoogleMail.com', headers: [trace], verdicts });
    expect(proven).toEqual(['googlemail.com', 'mail-lf1-f54.google.com']);
  });

  it('is SES only when DKIM proves its domain as the author', () => {
    const from = 'MAILER-DAEMON@eu-west-1.amazonses.com';
    const isSes = (dkim: string) =>
      sourceOfReport({ from, headers: [], verdicts: { spf: 'PASS', dkim } }).isSes;
    expect([isSes('PASS'), isSes('GRAY')]).toEqual([true, false]);
    const other = { from: 'a@notamazonses.com', headers: [], verdicts: { spf: 'PASS', dkim: 'PASS' } };
    expect(sourceOfReport(other).isSes).toBe(false);
  });

  it('names both the HELO and the reverse name, without the final dot, when they differ', () => {
    const headers = [received('MX1 (Mail.Example.test. [2001:db8::1])')];
    expect(sourceOfReport({ from: null, headers, verdicts: gray })).toMatchObject({
      claimed: ['mail.example.test'],
      address: '2001:db8::1',
    });
  });

  it.each([
    'from mx.victim.test (mx.victim.test [192.0.2.1]) by mx.other.test; now',
    'from  by inbound-smtp.us-east-1.amazonaws.com',
    '',
  ])('claims nothing when the first trace field is not of SES: %s', (value) => {
    const headers = [{ name: 'Received', value }, trace];
    expect(sourceOfReport({ from: null, headers, verdicts: gray })).toMatchObject({
      claimed: [],
      address: null,
    });
  });
});

describe('hostsOf', () => {
  it('returns the hosts in the registered domain of an owner', () => {
    const hosts = ['mx.google.com', 'google.com.evil.test', 'evilgoogle.com', 'com', 'b.github.io'];
    expect(hostsOf(['smtp.l.google.com', 'a.github.io', 'com'], hosts)).toEqual(['mx.google.com']);
  });
});

describe('organizationOf', () => {
  it('is the registered domain, and null for a suffix', () => {
    expect(organizationOf('a.b.example.co.uk')).toBe('example.co.uk');
    expect(organizationOf('co.uk')).toBeNull();
    expect(organizationOf('')).toBeNull();
  });
});
