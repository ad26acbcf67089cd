/** Rules of an endpoint. */
import { describe, expect, it } from 'vitest';
import { passesRouting, type RoutingRule } from '../../../lib/core/webhooks/routing.ts';

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
