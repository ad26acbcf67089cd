/** What counts as a mention of an address when a person is erased. */
import { describe, expect, it } from 'vitest';
import { addressKey } from '../../../lib/mail/addresses/addresses.ts';
import { mentionsOf } from '../../../lib/services/erasure/address-mentions.ts';

describe('the mentions of an address', () => {
  const { isIn, replacedIn } = mentionsOf('anna.b+x@shop.example');

  it.each([
    'anna.b+x@shop.example',
    'Name <Anna.B+X@Shop.Example>',
    "'anna.b+x@shop.example'",
    'On Monday anna.b+x@shop.example wrote:',
    'Write to anna.b+x@shop.example.',
    'mailto:anna.b+x@shop.example?subject=A',
    'https://a.example/?to=anna.b%2Bx%40shop.example&b=c',
    'https://a.example/mailto%3Aanna.b%2Bx%40shop.example',
    'ключ:anna.b+x@shop.example;',
    '"anna.b+x"@shop.example',
    'anna.b+x&#64;shop.example',
    'anna.b+x&#x0040;shop.example',
  ])('are found in %s', (text) => {
    expect(isIn({ deep: [new Set([text])] })).toBe(true);
  });

  it.each([
    'joanna.b+x@shop.example',
    'a.anna.b+x@shop.example',
    'anna.b+x@shop.example.org',
    'anna.b+x@shop.example-2',
    'anna.b@shop.example',
    'annaxb+x@shop.example',
    'anna.b+x@shopxexample',
    'anna.b+x shop.example',
  ])('are not in %s', (text) => {
    expect(isIn([text, 1, null, undefined, Buffer.from('anna.b+x@shop.example')])).toBe(false);
  });

  it('are found in either form of an international domain', () => {
    const international = mentionsOf('anna@xn--bcher-kva.example');
    expect(international.isIn('anna@bücher.example')).toBe(true);
    expect(international.isIn('mailto:anna@b%C3%BCcher.example')).toBe(true);
    expect(international.isIn('anna@xn--bcher-kva.example')).toBe(true);
  });

  it.each([
    'jörg@shop.example',
    '"anna b"@shop.example',
    'a..b@shop.example',
    'anna@localhost',
    `${'a'.repeat(900)}@shop.example`,
  ])('are found of an address that only received mail has: %s', (address) => {
    const { isIn } = mentionsOf(addressKey(address));
    expect(isIn([`x ${address.toUpperCase()}, y`])).toBe(true);
    expect(isIn([`x ${address}x y`, `xx${address}`])).toBe(false);
  });

  it('are replaced as they are written', () => {
    expect(replacedIn('add ANNA.b+x@shop.example, anna.b+x@shop.example', '$&')).toBe('add $&, $&');
  });
});
