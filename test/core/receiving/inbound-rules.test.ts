import { describe, expect, it } from 'vitest';
import { composeId } from '../../../lib/core/ids.ts';
import {
  blockedEmailId,
  canonicalPattern,
  decideByRules,
  patternsOf,
  type TierFindings,
  tiersOf,
} from '../../../lib/core/receiving/inbound-rules.ts';

const ruleId = composeId('rul', 0, new Uint8Array(10));
const space = composeId('spc', 0, new Uint8Array(10));
const workspaceId = composeId('wks', 0, new Uint8Array(10));

describe('canonicalPattern', () => {
  it.each([
    ['Anna@ACME.dev', 'anna@acme.dev'],
    [' anna+List@acme.dev ', 'anna+list@acme.dev'],
    ['anna+*@acme.dev', 'anna+*@acme.dev'],
    ['@ACME.dev', '@acme.dev'],
    ['@müller.example', '@xn--mller-kva.example'],
    ['@*.acme.dev', '@*.acme.dev'],
    ['@*.DEV', '@*.dev'],
    ['"anna"@acme.dev', 'anna@acme.dev'],
  ])('%s is %s', (pattern, canonical) => {
    expect(canonicalPattern(pattern)).toBe(canonical);
  });

  it.each([
    '',
    'acme.dev',
    '@',
    '@*',
    '*@acme.dev',
    'a*@acme.dev',
    '@*acme.dev',
    '@a.*.dev',
    'a@b@',
    '+*@acme.dev',
    '@dev',
  ])('%j is none', (pattern) => {
    expect(canonicalPattern(pattern)).toBeNull();
  });
});

describe('patternsOf', () => {
  it('has each pattern that matches an address', () => {
    expect(patternsOf('Anna+x+y@Mail.ACME.dev')).toEqual([
      'anna+x+y@mail.acme.dev',
      'anna+*@mail.acme.dev',
      '@mail.acme.dev',
      '@*.acme.dev',
      '@*.dev',
    ]);
    expect(patternsOf('anna@acme.dev')).toEqual(['anna@acme.dev', '@acme.dev', '@*.dev']);
    expect(patternsOf('')).toEqual([]);
  });

  it('is bounded', () => {
    expect(patternsOf(`a+b@${'a.'.repeat(120)}dev`).length).toBeLessThanOrEqual(14);
  });
});

describe('decideByRules', () => {
  const tier = (part: Partial<TierFindings>): TierFindings => ({
    blockedBy: null,
    isAllowed: false,
    hasAllowRules: false,
    ...part,
  });
  const block = tier({ blockedBy: ruleId });
  const allow = tier({ isAllowed: true, hasAllowRules: true });
  const others = tier({ hasAllowRules: true });
  const nothing = tier({});

  it.each<[string, readonly TierFindings[], boolean]>([
    ['nothing says anything', [nothing, nothing, nothing], false],
    ['the workspace blocks', [nothing, nothing, block], true],
    ['the address allows, the workspace blocks', [allow, nothing, block], false],
    ['the space blocks, the workspace allows', [nothing, block, allow], true],
    [
      'one scope blocks and allows',
      [nothing, tier({ blockedBy: ruleId, isAllowed: true, hasAllowRules: true }), nothing],
      true,
    ],
    ['the address allows others only', [others, nothing, allow], true],
    ['the workspace allows others only', [nothing, nothing, others], true],
    ['the space allows, the workspace allows others only', [nothing, allow, others], false],
  ])('%s', (_, tiers, isBlocked) => {
    expect(decideByRules(tiers).isBlocked).toBe(isBlocked);
  });
});

describe('tiersOf', () => {
  it('has the rules of an address in every space and in its own, then the space, then the workspace', () => {
    expect(tiersOf(space, 'Desk@acme.dev')).toEqual([
      [
        { spaceId: null, address: 'desk@acme.dev' },
        { spaceId: space, address: 'desk@acme.dev' },
      ],
      [{ spaceId: space, address: null }],
      [{ spaceId: null, address: null }],
    ]);
  });
});

describe('blockedEmailId', () => {
  it('is the same for the same message and another one for another space', () => {
    const of = (spaceId: typeof space | null) => blockedEmailId({ workspaceId, spaceId }, 'f', ['a@b.dev']);
    expect(of(null)).toBe(of(null));
    expect(of(null)).not.toBe(of(space));
    expect(of(null)).toMatch(/^blk_[0-9a-f]{32}$/);
  });
});
