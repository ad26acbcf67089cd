import { describe, expect, it } from 'vitest';
import { commonNetworks } from '../../../lib/core/access/common-networks.ts';
import { isInNetworks, isNetwork } from '../../../lib/core/access/ip-networks.ts';

describe('isNetwork', () => {
  it.each(['192.0.2.1', '192.0.2.0/24', '0.0.0.0/0', '2001:db8::/32', '2001:db8::1', '::/0', '::1/128'])(
    'accepts %s',
    (text) => expect(isNetwork(text)).toBe(true),
  );

  it.each([
    '',
    '192.0.2',
    '192.0.2.0/33',
    '192.0.2.0/',
    '192.0.2.0/8/8',
    '192.0.2.0/-1',
    '::1/129',
    'fe80::1%eth0',
  ])('refuses "%s"', (text) => expect(isNetwork(text)).toBe(false));
});

describe('isInNetworks', () => {
  it.each([
    ['192.0.2.77', ['192.0.2.0/24'], true],
    ['192.0.3.1', ['192.0.2.0/24'], false],
    ['192.0.2.77', ['198.51.100.1', '192.0.2.77'], true],
    ['2001:db8:1::5', ['2001:db8::/32'], true],
    ['2001:db9::5', ['2001:db8::/32'], false],
    ['::ffff:192.0.2.77', ['192.0.2.0/24'], true],
    ['no address', ['0.0.0.0/0'], false],
    ['192.0.2.77', [], false],
  ])('of %s in %j is %s', (address, networks, expected) => {
    expect(isInNetworks(address, networks)).toBe(expected);
  });
});

describe('commonNetworks', () => {
  it.each([
    [['192.0.2.0/24'], ['192.0.2.128/25'], ['192.0.2.128/25']],
    [['192.0.2.128/25'], ['192.0.2.0/24'], ['192.0.2.128/25']],
    [['192.0.2.0/24'], ['192.0.2.0/24'], ['192.0.2.0/24']],
    [['192.0.2.0/24'], ['198.51.100.0/24'], []],
    [['0.0.0.0/0'], ['192.0.2.1', '198.51.100.0/24'], ['192.0.2.1', '198.51.100.0/24']],
    [['192.0.2.1', '203.0.113.1'], ['192.0.2.0/24', '2001:db8::/32'], ['192.0.2.1']],
    [['2001:db8::/32', '::/0'], ['2001:db8:1::/48'], ['2001:db8:1::/48']],
    [['::ffff:192.0.2.0/120'], ['192.0.2.7'], ['192.0.2.7']],
    [['192.0.2.0/24'], ['::ffff:192.0.2.7'], ['::ffff:192.0.2.7']],
    [['192.0.2.77/24'], ['192.0.2.1'], ['192.0.2.1']],
    [['x'], ['0.0.0.0/0'], []],
  ])('of %j and %j are %j', (some, others, expected) => {
    expect(commonNetworks(some, others)).toEqual(expected);
  });
});
