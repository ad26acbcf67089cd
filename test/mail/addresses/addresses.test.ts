import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  addressKey,
  asciiDomain,
  displayName,
  formatAddress,
  parseAddress,
  uniqueAddresses,
} from '../../../lib/mail/addresses/addresses.ts';
import { parseAddressList, parseAuthor } from '../../../lib/mail/message/received-addresses.ts';

const localOf64 = 'x'.repeat(64);

describe('parseAddress', () => {
  it.each([
    ['a@b.example', null, 'a@b.example'],
    [' <a@b.example> ', null, 'a@b.example'],
    ['Ann Lee <a@b.example>', 'Ann Lee', 'a@b.example'],
    ['"Lee, Ann" <a@b.example>', 'Lee, Ann', 'a@b.example'],
    ['"Ann \\"Al\\" Lee" <a@b.example>', 'Ann "Al" Lee', 'a@b.example'],
    ['Lee, Ann <a@b.example>', 'Lee, Ann', 'a@b.example'],
    ['"" <a@b.example>', null, 'a@b.example'],
    ['日本 <a@b.example>', '日本', 'a@b.example'],
    ['A.B+c@EXAMPLE.Com', null, 'A.B+c@example.com'],
    ['"john doe"@b.example', null, '"john doe"@b.example'],
    ['"a@b"@b.example', null, '"a@b"@b.example'],
    ['a@bücher.example', null, 'a@xn--bcher-kva.example'],
    ['a@例え.テスト', null, 'a@xn--r8jz45g.xn--zckzah'],
    [`${localOf64}@b.example`, null, `${localOf64}@b.example`],
  ])('parses %s', (text, name, address) => {
    expect(parseAddress(text)).toEqual({ name, address });
  });

  it.each([
    '',
    'a',
    'a@',
    '@b.example',
    'a@b',
    'a@localhost',
    'a b@c.example',
    'a@b@c.example',
    'a..b@c.example',
    '.a@c.example',
    'a.@c.example',
    'ä@c.example',
    'a@c..example',
    'a@c.example.',
    'a@-c.example',
    'a@c_d.example',
    'a@[192.0.2.1]',
    'a@192.0.2.1',
    'a@１９２.０.２.１',
    'a@b.example\r\nBcc: x@y.example',
    '"a\nb" <a@b.example>',
    'Ann <a@b.example> x',
    'Ann <a@b.example',
    'a@b.example, c@d.example',
    `${localOf64}x@b.example`,
    `a@${'x'.repeat(64)}.example`,
    `a@${'x.'.repeat(150)}example`,
    'a@ex%61mple.com',
    'a@b.example/path',
  ])('returns null when the text is %j', (text) => {
    expect(parseAddress(text)).toBeNull();
  });

  it('parses what formatAddress wrote', () => {
    const address = fc
      .tuple(fc.stringMatching(/^[a-z0-9+]{1,20}$/), fc.stringMatching(/^[a-z]{1,20}\.example$/))
      .map((parts) => parts.join('@'));
    const name = fc.string({ unit: 'grapheme' }).map((text) => text.replace(/\p{C}/gu, '').trim() || null);
    fc.assert(
      fc.property(name, address, (someName, someAddress) => {
        const entry = { name: someName, address: someAddress };
        expect(parseAddress(formatAddress(entry))).toEqual(entry);
      }),
    );
  });
});

it.each([
  ['Anna', 'Anna'],
  ['"Anna"', 'Anna'],
  ["'Anna'", 'Anna'],
  [`"'Anna'"`, 'Anna'],
  [" ' Anna Lee ' ", 'Anna Lee'],
  ["O'Neill", "O'Neill"],
  ["'t Hooft", "'t Hooft"],
  ["'Anna' and 'Ben'", "'Anna' and 'Ben'"],
  ["'", "'"],
  ["''", null],
  ['""', null],
  [' ', null],
])('displayName of %j is %j', (text, name) => {
  expect(displayName(text)).toBe(name);
});

it('formatAddress quotes a name only when it has special characters', () => {
  expect(formatAddress({ name: 'Zoë de Groot', address: 'z@b.example' })).toBe('Zoë de Groot <z@b.example>');
  expect(formatAddress({ name: 'Lee, "Al"', address: 'a@b.example' })).toBe('"Lee, \\"Al\\"" <a@b.example>');
  expect(formatAddress({ name: null, address: 'a@b.example' })).toBe('a@b.example');
});

it('asciiDomain accepts international domains and no IP addresses', () => {
  expect(asciiDomain('Straße.example')).toBe('xn--strae-oqa.example');
  expect(asciiDomain('1.2')).toBeNull();
});

describe('addressKey', () => {
  it('is the same for two spellings of one address', () => {
    expect(addressKey('Ann@Bücher.example')).toBe(addressKey('ann@xn--bcher-kva.EXAMPLE'));
  });

  it.each([
    ['"anna"@example.test', 'anna@example.test'],
    ['"an\\\\na"@example.test'.replace('\\\\', '\\'), 'anna@example.test'],
    ['ANNA@Example.TEST', 'anna@example.test'],
    ['anna@example.test.', 'anna@example.test'],
    ['anna@example.test..', 'anna@example.test'],
    ['anna@bücher.example', 'anna@xn--bcher-kva.example'],
    [' anna@example.test ', 'anna@example.test'],
    ['"anna smith"@example.test', '"anna\\ smith"@example.test'],
    ['"a@b"@example.test', '"A@b"@example.test'],
    ['jose\u0301@example.test', 'jos\u00e9@example.test'],
  ])('of %j is that of %j', (one, other) => {
    expect(addressKey(one)).toBe(addressKey(other));
  });

  it.each([
    ['"a b"@example.test', 'ab@example.test'],
    ['"a.b"@example.test', 'ab@example.test'],
    ['a@example.test', 'a@example.testa'],
    ['"a"b@example.test', 'ab@example.test'],
  ])('of %j is not that of %j', (one, other) => {
    expect(addressKey(one)).not.toBe(addressKey(other));
  });

  it('is its own key', () => {
    fc.assert(
      fc.property(fc.emailAddress(), fc.string({ unit: 'grapheme' }), (address, text) => {
        expect(addressKey(addressKey(address))).toBe(addressKey(address));
        expect(addressKey(addressKey(`"${text}"@a.example`))).toBe(addressKey(`"${text}"@a.example`));
      }),
    );
  });

  it('makes uniqueAddresses keep the first spelling', () => {
    const list = [
      { name: 'Ann', address: 'Ann@b.example' },
      { name: null, address: 'ann@B.example' },
      { name: null, address: 'bob@b.example' },
    ];
    expect(uniqueAddresses(list)).toEqual([list[0], list[2]]);
  });
});

describe('parseAddressList', () => {
  it.each([
    ['a@b.example, C <c@d.example>', ['|a@b.example', 'C|c@d.example']],
    ['Team: a@b.example, C <c@d.example>;, e@f.example', ['|a@b.example', 'C|c@d.example', '|e@f.example']],
    ['undisclosed-recipients:;', []],
    ['=?utf-8?q?J=C3=BCrgen?= <j@B.Example>', ['Jürgen|j@b.example']],
    ['=?utf-7?Q?J+APw-rgen?= <j@b.example>', ['Jürgen|j@b.example']],
    ['"a@b.example" <c@d.example>', ['a@b.example|c@d.example']],
    ['a@b.example <a@b.example>', ['|a@b.example']],
    ['a@b.example; c@d.example', ['|a@b.example', '|c@d.example']],
    ['a@b.example (Ann)', ['Ann|a@b.example']],
    ['Ann <@c.example:a@b.example>, d@e.example', ['Ann|a@b.example', '|d@e.example']],
    ['< @c.example,@d.example:a@b.example>', ['|a@b.example']],
    ['"@c.example:a"@b.example', []],
    ['nobody', []],
    ['Nobody <>', []],
    ['a..b.@docomo.example', ['|a..b.@docomo.example']],
    ['jdöe@mächine.example', ['|jdöe@xn--mchine-bua.example']],
  ])('parses %s', (value, expected) => {
    expect(parseAddressList(value).map(({ name, address }) => `${name ?? ''}|${address}`)).toEqual(expected);
  });

  it('never throws and returns no control characters', () => {
    fc.assert(
      fc.property(
        fc.uint8Array().map((bytes) => Buffer.from(bytes).toString('latin1')),
        (value) => {
          for (const { name, address } of parseAddressList(value))
            expect(`${name}${address}`).not.toMatch(/\p{Cc}/u);
        },
      ),
    );
  });
});

it.each([
  ['Cron Daemon <root>', { name: 'Cron Daemon', address: 'root' }],
  ['"Backup, nightly" <backup>', { name: 'Backup, nightly', address: 'backup' }],
])('parseAuthor keeps the name in %s', (value, author) => {
  expect(parseAuthor(value)).toEqual(author);
});

it('parseAuthor returns a word without a domain when there is no address', () => {
  expect(parseAuthor('MAILER-DAEMON (Mail Delivery)')).toEqual({ name: null, address: 'MAILER-DAEMON' });
  expect(parseAuthor('Ann <a@b.example>')).toEqual({ name: 'Ann', address: 'a@b.example' });
  expect(parseAuthor('<>')).toBeNull();
});
