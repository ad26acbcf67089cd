/** Domain names that a workspace can claim. */
import { describe, expect, it } from 'vitest';
import { parseDomainName } from '../../../lib/core/domains/name.ts';
import { isReturnPathOf, isUnder, parentName } from '../../../lib/core/domains/reserved.ts';

describe('parseDomainName', () => {
  it.each([
    ['acme.dev', 'acme.dev', false],
    [' Mail.ACME.dev. ', 'mail.acme.dev', false],
    ['*.acme.dev', 'acme.dev', true],
    ['*.eu.acme.co.uk', 'eu.acme.co.uk', true],
    ['münchen.de', 'xn--mnchen-3ya.de', false],
    ['例え。テスト', 'xn--r8jz45g.xn--zckzah', false],
    ['пример.рф', 'xn--e1afmkfd.xn--p1ai', false],
    ['acme.test', 'acme.test', false],
    ['acme.github.io', 'acme.github.io', false],
    ['github.io', 'github.io', false],
    ['acme.newtld', 'acme.newtld', false],
    [`${'a'.repeat(63)}.dev`, `${'a'.repeat(63)}.dev`, false],
  ])('reads %s as %s', (text, name, wildcard) => {
    expect(parseDomainName(text)).toEqual({ name, wildcard });
  });

  it.each([
    '',
    '*',
    '*.',
    '.',
    'acme',
    'localhost',
    'com',
    'co.uk',
    '*.co.uk',
    '192.168.0.1',
    '1.2.3',
    '::1',
    '[::1]',
    'acme..dev',
    '.acme.dev',
    'acme.dev..',
    '-acme.dev',
    'acme-.dev',
    'ac_me.dev',
    'acme.d',
    'acme.1dev',
    'a.*.acme.dev',
    '*.*.acme.dev',
    '*acme.dev',
    'https://acme.dev',
    'acme.dev/path',
    'acme.dev:25',
    'ann@acme.dev',
    'acme dev.com',
    'printer.local',
    'db.internal',
    'acme.localhost',
    '1.0.0.127.in-addr.arpa',
    `${'a'.repeat(64)}.dev`,
    `${'abcdefgh.'.repeat(28)}dev`,
  ])('refuses %s', (text) => {
    expect(parseDomainName(text)).toBeNull();
  });
});

describe('isUnder', () => {
  it('compares whole labels', () => {
    expect(isUnder('mail.test', 'mail.test')).toBe(true);
    expect(isUnder('mail.test', 'acme.mail.test')).toBe(true);
    expect(isUnder('mail.test', 'gmail.test')).toBe(false);
    expect(isUnder('', 'acme.dev')).toBe(false);
  });
});

describe('isReturnPathOf and parentName', () => {
  it('find the return path of a wildcard and the name one label up', () => {
    expect(isReturnPathOf('acme.dev', 'bounces.acme.dev')).toBe(true);
    expect(isReturnPathOf('acme.dev', 'bounces.eu.acme.dev')).toBe(false);
    expect(parentName('eu.acme.dev')).toBe('acme.dev');
    expect(parentName('dev')).toBeNull();
  });
});
