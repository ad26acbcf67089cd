/** Public addresses, and URLs of endpoints. */
import { describe, expect, it } from 'vitest';
import { isPublicAddress, webhookUrl } from '../../../lib/core/webhooks/public-address.ts';
import { refusedUrls } from '../../support/refused-targets.ts';

describe('isPublicAddress', () => {
  it.each([
    '1.1.1.1',
    '8.8.8.8',
    '100.63.255.255',
    '100.128.0.1',
    '172.15.255.255',
    '172.32.0.1',
    '192.167.1.1',
    '223.255.255.255',
    '2606:4700:4700::1111',
    '2a00:1450:4001:82a::200e',
    '2001:4860:4860::8888',
  ])('accepts %s', (ip) => {
    expect(isPublicAddress(ip)).toBe(true);
  });

  it.each([
    '0.0.0.0',
    '10.0.0.1',
    '100.64.0.1',
    '127.0.0.1',
    '127.255.255.254',
    '169.254.169.254',
    '169.254.100.1',
    '172.16.0.1',
    '172.31.255.255',
    '192.0.0.1',
    '192.0.2.1',
    '192.88.99.1',
    '192.168.1.1',
    '198.18.0.1',
    '198.19.255.255',
    '198.51.100.1',
    '203.0.113.1',
    '224.0.0.1',
    '240.0.0.1',
    '255.255.255.255',
  ])('refuses the IPv4 address %s', (ip) => {
    expect(isPublicAddress(ip)).toBe(false);
  });

  it.each([
    ['unspecified', '::'],
    ['loopback', '::1'],
    ['mapped private', '::ffff:10.0.0.1'],
    ['mapped in hex', '::ffff:7f00:1'],
    ['mapped public', '::ffff:8.8.8.8'],
    ['mapped, written in full', '0:0:0:0:0:ffff:127.0.0.1'],
    ['compatible', '::127.0.0.1'],
    ['translated', '::ffff:0:10.0.0.1'],
    ['NAT64', '64:ff9b::10.0.0.1'],
    ['local NAT64', '64:ff9b:1::1'],
    ['discard', '100::1'],
    ['Teredo', '2001:0:4136:e378:8000:63bf:3fff:fdd2'],
    ['ORCHID', '2001:20::1'],
    ['documentation', '2001:db8::1'],
    ['newer documentation', '3fff::1'],
    ['6to4', '2002:a00:1::1'],
    ['segment routing', '5f00::1'],
    ['unique local', 'fc00::1'],
    ['metadata', 'fd00:ec2::254'],
    ['link-local', 'fe80::1'],
    ['link-local with a zone', 'fe80::1%eth0'],
    ['public with a zone', '2606:4700::1%1'],
    ['site-local', 'fec0::1'],
    ['multicast', 'ff02::1'],
  ])('refuses %s IPv6 addresses', (_kind, ip) => {
    expect(isPublicAddress(ip)).toBe(false);
  });

  it('refuses text that is no address in its usual form', () => {
    for (const text of [
      '',
      'localhost',
      '127.1',
      '0x7f000001',
      '2130706433',
      '8.8.8.8:80',
      '[::1]',
      ' 8.8.8.8',
    ])
      expect(isPublicAddress(text)).toBe(false);
  });
});

describe('webhookUrl', () => {
  const strict = (text: string) => webhookUrl(text, { allowInsecure: false });
  const allowInsecure = (text: string) => webhookUrl(text, { allowInsecure: true });

  it.each([
    'https://hooks.acme.dev/in?x=1',
    'https://hooks.acme.dev:8443/',
    'https://8.8.8.8/',
    'https://[2606:4700::1]/',
    'https://münchen.example/',
    'https://hooks.acme.dev./',
    'https://my_hooks.acme.dev/',
    'https://a--b.acme.dev/',
    `https://${'a'.repeat(63)}.dev/`,
    `https://${'a.'.repeat(126)}b/`,
  ])('accepts %s', (text) => {
    expect(strict(text)).toBeInstanceOf(URL);
  });

  it.each([
    ['hooks.acme.dev', 'must be an absolute URL'],
    ['http://hooks.acme.dev/', 'must be an https URL'],
    ['file:///etc/passwd', 'must be an https URL'],
    ['https://user:pw@hooks.acme.dev/', 'must not carry credentials'],
    ['https://hooks.acme.dev/#x', 'must not have a fragment'],
    ['https://hooks.acme.dev:25/', 'must use port 443 or one from 1024 on'],
    ['https://hooks.acme.dev:80/', 'must use port 443 or one from 1024 on'],
    ['https://intranet/', 'must have a public host name'],
    ['https://localhost/', 'must have a public host name'],
    ['https://localhost./', 'must have a public host name'],
    ['https://a.localhost/', 'must have a public host name'],
    ['https://db.internal/', 'must have a public host name'],
    ['https://printer.LOCAL/', 'must have a public host name'],
    ['https://../', 'must have a valid host name'],
    ['https://./', 'must have a valid host name'],
    ['https://a..b/', 'must have a valid host name'],
    ['https://.a.dev/', 'must have a valid host name'],
    ['https://a.dev../', 'must have a valid host name'],
    ['https://a。。dev/', 'must have a valid host name'],
    ['https://-a.b-/', 'must have a valid host name'],
    ['https://a.-b.dev/', 'must have a valid host name'],
    ['https://a-.dev/', 'must have a valid host name'],
    ['https://a%21.dev/', 'must have a valid host name'],
    [`https://${'a'.repeat(64)}.dev/`, 'must have a valid host name'],
    [`https://${'a.'.repeat(126)}bc/`, 'must have a valid host name'],
    ['https://10.0.0.1/', 'must not point to an address that is not public'],
    ['https://2130706433/', 'must not point to an address that is not public'],
    ['https://0x7f.1/', 'must not point to an address that is not public'],
    ['https://0177.0.0.1/', 'must not point to an address that is not public'],
    ['https://127.1/', 'must not point to an address that is not public'],
    ['https://①②⑦.0.0.1/', 'must not point to an address that is not public'],
    ['https://[::1]/', 'must not point to an address that is not public'],
    ['https://[::ffff:127.0.0.1]/', 'must not point to an address that is not public'],
    [`https://a.dev/${'x'.repeat(2048)}`, 'must have at most 2048 characters'],
  ])('refuses %s: %s', (text, reason) => {
    expect(strict(text)).toBe(reason);
  });

  it.each(refusedUrls)('refuses %s', (text) => {
    expect(strict(text)).toMatch(/^must /);
  });

  it('accepts plain http and loopback addresses, and nothing else, when allowInsecure is set', () => {
    for (const text of [
      'http://localhost:3000/',
      'http://127.0.0.1:81/',
      'http://[::1]:3000/',
      'http://a.dev/',
    ])
      expect(allowInsecure(text)).toBeInstanceOf(URL);
    for (const text of [
      'http://.localhost/',
      'http://-a.localhost/',
      'http://10.0.0.1/',
      'http://169.254.169.254/',
      'ftp://localhost/',
      'http://intranet/',
    ])
      expect(allowInsecure(text)).toBeTypeOf('string');
  });
});
