import { describe, expect, it } from 'vitest';
import { newId } from '../../../lib/adapters/ids.ts';
import { subscriberNetwork } from '../../../lib/core/access/ip-networks.ts';
import {
  composeToken,
  cookieName,
  isFromConsole,
  sessionCookie,
  tokenInCookies,
  tokenSubject,
} from '../../../lib/core/access/session.ts';

const https = 'https://api.example.com';
const http = 'http://127.0.0.1:8025';
const secret = 'A'.repeat(43);

describe('a token', () => {
  it('tells its subject, whatever characters the address has', () => {
    for (const email of [
      'anna@example.com',
      '"a.b"@example.com',
      'ü+#;,=@example.com',
      `${'a'.repeat(64)}@x.test`,
    ]) {
      const subject = { workspaceId: newId('wks'), email };
      const token = composeToken(subject, secret);
      expect(token).toMatch(/^[\w.-]+$/);
      expect(tokenSubject(token)).toEqual(subject);
    }
  });

  it('is none where a part is missing, too long or of other characters', () => {
    const [workspace, email] = composeToken({ workspaceId: newId('wks'), email: 'a@b.test' }, secret).split(
      '.',
    );
    for (const text of [
      '',
      '..',
      `${workspace}.${email}`,
      `${workspace}.${email}.${secret}A`,
      `${workspace}.${email}.${secret}\n`,
      `${workspace}x.${email}.${secret}`,
      `${workspace}.${'a'.repeat(100_000)}.${secret}`,
      `wks_${workspace}.${email}.${secret}`,
    ]) {
      expect(tokenSubject(text)).toBeNull();
    }
  });
});

describe('the cookie', () => {
  it('is for its host alone over https', () => {
    expect(sessionCookie(https, 'T')).toBe(
      '__Host-parley_session=T; Path=/; Max-Age=43200; Secure; HttpOnly; SameSite=Strict',
    );
    expect(sessionCookie(https, '')).toBe(
      '__Host-parley_session=; Path=/; Max-Age=0; Secure; HttpOnly; SameSite=Strict',
    );
  });

  it('works without TLS in the local run alone', () => {
    expect(sessionCookie(http, 'T')).toBe(
      'parley_session=T; Path=/; Max-Age=43200; HttpOnly; SameSite=Strict',
    );
    expect(cookieName('https://127.0.0.1')).toBe('__Host-parley_session');
  });

  it('is read by its own name: one without the prefix may be planted by a sibling host', () => {
    expect(tokenInCookies(https, ['a=1', '__Host-parley_session=T'])).toBe('T');
    expect(tokenInCookies(https, ['parley_session=T', 'x__Host-parley_session=T'])).toBeNull();
    expect(tokenInCookies(http, ['__Host-parley_session=T', 'parley_session=U'])).toBe('U');
    expect(tokenInCookies(https, [])).toBeNull();
  });
});

describe('a request from the console', () => {
  it('has the header and exactly the origin of the deployment', () => {
    const own = { 'x-console-request': '1', origin: https };
    expect(isFromConsole(`${https}/base`, own)).toBe(true);
    for (const origin of [
      'null',
      '',
      `${https}:443`,
      `${https}/`,
      `${https}.evil.test`,
      http,
      'https://API.example.com',
    ]) {
      expect(isFromConsole(https, { ...own, origin }), origin).toBe(false);
    }
    expect(isFromConsole(https, { origin: https })).toBe(false);
    expect(isFromConsole(https, { 'x-console-request': '1' })).toBe(false);
    expect(isFromConsole(https, { ...own, 'x-console-request': '1,1' })).toBe(false);
  });
});

describe('subscriberNetwork', () => {
  it.each([
    ['192.0.2.1', '192.0.2.1'],
    ['2001:db8::1', '2001:db8:0:0'],
    ['2001:0DB8:0:0:ffff::2', '2001:db8:0:0'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2'],
    ['::1', '0:0:0:0'],
    ['::', '0:0:0:0'],
    ['fe80::1%eth0', 'fe80:0:0:0'],
    ['::ffff:192.0.2.1', '::ffff:192.0.2.1'],
    ['unknown', 'unknown'],
  ])('of %s is %s', (address, network) => expect(subscriberNetwork(address)).toBe(network));
});
