import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isAddressPattern, matchesPattern } from '../../../lib/mail/addresses/address-pattern.ts';

describe('matchesPattern', () => {
  it.each([
    ['ann@acme.dev', 'ann@acme.dev', true],
    ['Ann@ACME.dev', 'ann@acme.dev', true],
    ['ann@acme.dev', 'joann@acme.dev', false],
    ['ann@acme.dev', 'ann@acme.dev.evil.test', false],
    ['*@acme.dev', 'ann@acme.dev', true],
    ['*@acme.dev', 'ann@mail.acme.dev', false],
    ['*acme.dev', 'ann@mail.acme.dev', true],
    ['sales-*@*', 'sales-eu@acme.dev', true],
    ['sales-*@*', 'presales-eu@acme.dev', false],
    ['a*b*c', 'abc', true],
    ['a*b*c', 'acb', false],
    ['ab*ba', 'aba', false],
    ['*', 'anything@at.all', true],
    ['**', '', true],
    ['*@münchen.de', 'ann@xn--mnchen-3ya.de', true],
    ['a.c@x.dev', 'abc@x.dev', false],
  ])('%s against %s is %s', (pattern, address, expected) => {
    expect(matchesPattern(pattern, address)).toBe(expected);
  });

  it('agrees with a regular expression of the same meaning', () => {
    const letters = fc.string({ unit: fc.constantFrom('a', 'b', '*'), maxLength: 12 });
    fc.assert(
      fc.property(letters, letters, (pattern, raw) => {
        const address = raw.replaceAll('*', 'c');
        const meaning = new RegExp(`^${pattern.replaceAll('*', '.*')}$`);
        expect(matchesPattern(pattern, address)).toBe(meaning.test(address));
      }),
      { numRuns: 500 },
    );
  });

  it('takes linear time when patterns force backtracking (a slower match exceeds the time limit)', () => {
    expect(matchesPattern(`${'a*'.repeat(160)}b`, 'a'.repeat(100_000))).toBe(false);
    expect(matchesPattern(`${'*a'.repeat(160)}*b*`, 'a'.repeat(100_000))).toBe(false);
  });
});

describe('isAddressPattern', () => {
  it('accepts addresses with and without wildcards, and refuses patterns that match nothing', () => {
    for (const good of ['a@b.dev', '*@b.dev', '*b.dev', '*']) expect(isAddressPattern(good)).toBe(true);
    for (const bad of ['', 'acme.dev', 'a b@c.dev', 'a@b.dev\n', '*'.repeat(321)])
      expect(isAddressPattern(bad)).toBe(false);
  });
});
