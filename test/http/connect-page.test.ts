import { describe, expect, it } from 'vitest';
import { composeId } from '../../lib/core/ids.ts';
import type { OauthApp } from '../../lib/core/mailboxes/oauth-app.ts';
import { connectPage } from '../../lib/http/pages/connect.ts';

const app: OauthApp = {
  id: composeId('app', 1, new Uint8Array(10)),
  provider: 'google',
  slug: 'acme',
  name: 'Acme',
  clientId: 'client-1',
  ...{ tenant: null, pubsubTopic: null, accent: null, tagline: null, supportEmail: null, logoUrl: null },
  returnUrls: [],
  createdAt: 0,
  updatedAt: 0,
  revision: 1,
};
const html = (given: Partial<OauthApp>, url = 'https://api.acme.test/connect/acme/start') =>
  String(connectPage({ ...app, ...given }, url, 'en').body);

describe('the hosted page', () => {
  it.each([
    ['#ffffff', '#000'],
    ['#ffcc00', '#000'],
    ['#7f7f7f', '#000'],
    ['#0f766e', '#fff'],
    ['#1F5FBF', '#fff'],
    ['#000000', '#fff'],
  ])('has a button of the color %s with text in %s', (accent, text) => {
    expect(html({ accent })).toContain(`background:${accent};color:${text};`);
  });

  it('escapes everything that the app and the link have', () => {
    const hostile = `"><script>alert('x')</script>`;
    const page = html(
      {
        name: hostile,
        tagline: hostile,
        logoUrl: 'https://acme.test/a"b.png',
        supportEmail: `a"b@acme.test`,
      },
      `https://api.acme.test/connect/acme/start?ref=${hostile}`,
    );
    expect(page).not.toContain('<script');
    expect(page).not.toContain('a"b');
  });

  it('allows images of the origin of the logo only, and none without a logo', () => {
    const policyOf = (logoUrl: string | null) =>
      connectPage({ ...app, logoUrl }, 'https://api.acme.test/', 'en').headers['content-security-policy'];
    expect(policyOf('https://cdn.acme.test/logo.png?a=1')).toContain('img-src https://cdn.acme.test;');
    expect(policyOf(null)).not.toContain('img-src');
  });
});
