import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  isRegistered,
  parseReturnUrl,
  returnUrlIssue,
  withOutcome,
} from '../../../lib/core/mailboxes/return-urls.ts';

const good = [
  'https://acme.dev',
  'https://acme.dev/connected?tenant=1',
  'https://acme.dev:8443/a/b',
  'HTTPS://ACME.dev/x',
  'http://localhost/done',
  'http://localhost:3000/done',
  'http://127.0.0.1:3000',
  'http://[::1]:3000/',
  'https://bücher.example/x',
];

describe('parseReturnUrl', () => {
  it.each(good)('accepts %s', (text) => {
    expect(parseReturnUrl(text)).toBeInstanceOf(URL);
  });

  it.each([
    ['', 'is not an absolute https URL'],
    ['/connected', 'is not an absolute https URL'],
    ['//acme.dev/connected', 'is not an absolute https URL'],
    ['acme.dev/connected', 'is not an absolute https URL'],
    ['https:acme.dev', 'is not an absolute https URL'],
    ['https:/acme.dev', 'is not an absolute https URL'],
    ['https:\\\\acme.dev', 'is not an absolute https URL'],
    ['https://acme.dev\\@evil.example', 'is not an absolute https URL'],
    ['https://acme.dev/a\nb', 'is not an absolute https URL'],
    [' https://acme.dev', 'is not an absolute https URL'],
    ['https://', 'is not an absolute https URL'],
    ['https://a b', 'is not an absolute https URL'],
    ['javascript:alert(1)', 'is not an absolute https URL'],
    ['ftp://acme.dev', 'is not an absolute https URL'],
    ['http://acme.dev', 'is not https; plain http is allowed on localhost only'],
    ['http://localhost.evil.example', 'is not https; plain http is allowed on localhost only'],
    ['https://user@acme.dev', 'has credentials'],
    ['https://user:secret@acme.dev', 'has credentials'],
    ['https://:secret@acme.dev', 'has credentials'],
    ['http://localhost@evil.example', 'is not https; plain http is allowed on localhost only'],
    ['https://acme.dev/a#b', 'has a fragment'],
    ['https://acme.dev/a#', 'has a fragment'],
    ['http://localhost:3000/#/done', 'has a fragment'],
    [`https://acme.dev/${'a'.repeat(2000)}`, 'is longer than 2000 characters'],
  ])('says what is wrong with %j', (text, message) => {
    expect(parseReturnUrl(text)).toBe(message);
  });

  it('never throws', () => {
    fc.assert(fc.property(fc.string(), (text) => void parseReturnUrl(`https://${text}`)));
  });
});

describe('returnUrlIssue', () => {
  it('accepts 20 different URLs', () => {
    expect(returnUrlIssue(Array.from({ length: 20 }, (_, at) => `https://acme.dev/${at}`))).toBeNull();
    expect(returnUrlIssue([])).toBeNull();
  });

  it('refuses the 21st URL', () => {
    const urls = Array.from({ length: 21 }, (_, at) => `https://acme.dev/${at}`);
    expect(returnUrlIssue(urls)).toEqual({ at: null, message: 'has more than 20 URLs' });
  });

  it.each([
    ['https://acme.dev/a#b', 'has a fragment'],
    ['https://acme.dev/a#', 'has a fragment'],
    ['https://ACME.dev/first', 'is there twice'],
    ['http://acme.dev/a', 'is not https; plain http is allowed on localhost only'],
  ])('names the entry %s', (text, message) => {
    expect(returnUrlIssue(['https://acme.dev/first', text])).toEqual({ at: 1, message });
  });
});

describe('isRegistered', () => {
  const registered = ['https://acme.dev/connected?a=1', 'http://localhost:3000/done'];
  const isKnown = (text: string) => isRegistered(registered, new URL(text));

  it('compares origin and path, whatever the query is', () => {
    expect(isKnown('https://acme.dev/connected')).toBe(true);
    expect(isKnown('https://acme.dev/connected?user=7')).toBe(true);
    expect(isKnown('https://acme.dev:443/connected')).toBe(true);
    expect(isKnown('http://localhost:3000/done?x')).toBe(true);
  });

  it.each([
    'https://acme.dev/connected/',
    'https://acme.dev/',
    'https://acme.dev/connected/../other',
    'https://acme.dev/Connected',
    'https://evil.example/connected',
    'https://acme.dev.evil.example/connected',
    'https://acme.dev:8443/connected',
    'http://acme.dev/connected',
    'http://localhost:3001/done',
  ])('refuses %s', (text) => {
    expect(isKnown(text)).toBe(false);
  });
});

describe('withOutcome', () => {
  it('adds the outcome to what the URL has', () => {
    const outcome = { status: 'connected', mailbox_id: 'mbx_1' };
    expect(withOutcome('https://acme.dev/c?user=7&status=old', outcome)).toBe(
      'https://acme.dev/c?user=7&status=connected&mailbox_id=mbx_1',
    );
    expect(withOutcome('https://acme.dev', { status: 'denied' })).toBe('https://acme.dev/?status=denied');
  });

  it('drops parameters of the URL that have the names of an outcome, repeated ones too', () => {
    const url = 'https://acme.dev/c?mailbox_id=mbx_9&user=7&mailbox_id=mbx_8&code=not_found&status=connected';
    expect(withOutcome(url, { status: 'denied' })).toBe('https://acme.dev/c?user=7&status=denied');
  });
});
