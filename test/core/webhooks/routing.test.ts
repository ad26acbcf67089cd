/** Address patterns and rules of an endpoint. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  isAddressPattern,
  matchesPattern,
  passesRouting,
  type RoutingRule,
} from '../../../lib/core/webhooks/routing.ts';

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

describe('passesRouting', () => {
  const mail = { from: ['ann@buyer.test', 'reply@buyer.test'], to: ['sales@acme.dev', 'cc@acme.dev'] };
  const allow = (field: RoutingRule['field'], pattern: string): RoutingRule => ({
    effect: 'allow',
    field,
    pattern,
  });
  const block = (field: RoutingRule['field'], pattern: string): RoutingRule => ({
    effect: 'block',
    field,
    pattern,
  });

  it('passes every event when there are no rules', () => {
    expect(passesRouting([], mail)).toBe(true);
  });

  it('passes events that are not blocked when there are no allow rules', () => {
    expect(passesRouting([block('from', '*@spam.test')], mail)).toBe(true);
    expect(passesRouting([block('from', '*@buyer.test')], mail)).toBe(false);
  });

  it('passes only allowed events when there are allow rules', () => {
    expect(passesRouting([allow('to', 'sales@*')], mail)).toBe(true);
    expect(passesRouting([allow('to', 'help@*')], mail)).toBe(false);
    expect(passesRouting([allow('to', 'help@*'), allow('to', 'cc@*')], mail)).toBe(true);
  });

  it('blocks an event when it is allowed, too', () => {
    expect(passesRouting([allow('either', '*'), block('to', 'cc@acme.dev')], mail)).toBe(false);
  });

  it('matches a from rule with Reply-To, a to rule with every recipient, and either with both', () => {
    expect(passesRouting([allow('from', 'reply@*')], mail)).toBe(true);
    expect(passesRouting([allow('from', 'sales@*')], mail)).toBe(false);
    expect(passesRouting([allow('to', 'ann@*')], mail)).toBe(false);
    expect(passesRouting([allow('either', 'ann@*')], mail)).toBe(true);
    expect(passesRouting([allow('either', 'cc@*')], mail)).toBe(true);
  });

  it('passes every event without addresses', () => {
    expect(passesRouting([allow('to', 'help@*'), block('either', '*')], null)).toBe(true);
  });
});
