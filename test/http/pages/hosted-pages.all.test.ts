/** Hosted pages and those of the emulated providers in a browser: violations that axe finds, widths, policies, directions. */
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { composeId } from '../../../lib/core/ids.ts';
import type { OauthApp } from '../../../lib/core/mailboxes/oauth-app.ts';
import type { ProblemCode } from '../../../lib/core/problems.ts';
import { connectedPage, connectPage } from '../../../lib/http/pages/connect.ts';
import {
  directionOf,
  languageOf,
  type PageLanguage,
  pageLanguages,
} from '../../../lib/http/pages/languages.ts';
import { noFacts, type PageFacts, problemPage } from '../../../lib/http/pages/problem.ts';
import { choicePage, donePage } from '../../../lib/http/pages/unsubscribe.ts';
import { consentPage } from '../../../lib/local/mailbox-providers/consent-page.ts';
import { accountsPage, notFoundPage, writePage } from '../../../lib/local/mailbox-providers/webmail-pages.ts';
import { looks, phone, visit } from '../../support/browser/visit.ts';

const app: OauthApp = {
  id: composeId('app', 1, new Uint8Array(10)),
  provider: 'google',
  slug: 'acme',
  name: 'Acme & Sons',
  clientId: 'client-1',
  ...{ tenant: null, pubsubTopic: null, logoUrl: null },
  accent: '#0f766e',
  tagline: 'Answers from your own inbox.',
  supportEmail: 'help@acme.test',
  returnUrls: ['https://acme.test/connected'],
  createdAt: 0,
  updatedAt: 0,
  revision: 1,
};
const facts: PageFacts = {
  name: app.name,
  supportEmail: app.supportEmail,
  backUrl: 'https://acme.test/connected',
  againUrl: '/connect/acme',
};
const requestId = 'JKJaXmPLvHcESHA=';
const subscription = {
  sender: { name: 'Acme News', address: 'news@acme.test' },
  address: `${'a'.repeat(60)}@${'long-'.repeat(10)}example.test`,
  hasList: true,
};
const account = { address: 'anna@gmail.test', name: 'Anna', id: '1', tenantId: '1' };
const ofConnection =
  (code: ProblemCode | 'denied', known = facts) =>
  (language: PageLanguage) =>
    problemPage({ subject: 'connection', code, status: 400, language, requestId, facts: known });

type Rendered = {
  status?: number;
  statusCode?: number;
  headers?: object;
  body?: string | Buffer | undefined;
};
const pages: Readonly<Record<string, (language: PageLanguage) => Rendered>> = {
  unsubscribe: (language) => choicePage(subscription, language),
  unsubscribed: (language) => donePage(subscription, 'optional', language),
  'unsubscribe-invalid': (language) =>
    problemPage({
      ...{ subject: 'unsubscribe link', code: 'not_found', status: 404, language, requestId },
      facts: noFacts,
    }),
  'click-invalid': (language) =>
    problemPage({
      ...{ subject: 'link of an email', code: 'not_found', status: 404, language, requestId },
      facts: noFacts,
    }),
  missing: (language) =>
    problemPage({ subject: 'page', code: 'not_found', status: 404, language, requestId, facts: noFacts }),
  failed: (language) =>
    problemPage({
      subject: 'page',
      code: 'internal_error',
      status: 500,
      language,
      requestId,
      facts: noFacts,
    }),
  connect: (language) => connectPage(app, 'https://api.acme.test/connect/acme/start', language),
  connected: (language) => connectedPage('anna@gmail.test', language),
  denied: ofConnection('denied'),
  expired: ofConnection('expired_state'),
  'state-mismatch': ofConnection('invalid_state', noFacts),
  'return-invalid': ofConnection('return_url_not_registered'),
  'app-deleted': ofConnection('not_found', noFacts),
  'provider-failed': ofConnection('provider_error'),
  consent: () =>
    consentPage({
      provider: 'Google',
      clientName: 'Acme',
      accounts: [account],
      scopes: [{ scope: 'https://mail.google.test/', label: 'Read and send mail', isOptional: false }],
      loginHint: null,
      error: 'Choose an account or type an address.',
    }),
  webmail: () => accountsPage('Google', [account], new URLSearchParams({ status: 'connected' })),
  'webmail-write': () =>
    writePage('Google', account.address, { to: '', subject: '', text: '', error: 'No.' }),
  'webmail-missing': () => notFoundPage('Google'),
};

let server: Server;
let origin: string;
beforeAll(async () => {
  server = createServer((request, response) => {
    const page = pages[(request.url ?? '').slice(1)]?.(languageOf(request.headers['accept-language']));
    response.writeHead(page?.status ?? page?.statusCode ?? 404, { ...page?.headers }).end(page?.body);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

describe.each(Object.keys(pages))('%s', (name) => {
  it.each(looks)('has no violation in $scheme at $viewport.width px', ({ scheme, viewport }) =>
    visit({ origin, viewport, colorScheme: scheme }, async ({ isTooWide, open, picture, violations }) => {
      await open(`/${name}`);
      expect(await violations()).toEqual([]);
      expect(await isTooWide()).toBe(false);
      await picture(`hosted-${name}-${scheme}-${viewport.width}`);
    }),
  );
});

describe('the unsubscribe page', () => {
  it.each(pageLanguages)('is read in %s', (language) =>
    visit(
      { origin, viewport: phone, locale: language },
      async ({ isTooWide, open, page, picture, violations }) => {
        for (const name of ['unsubscribe', 'unsubscribed', 'unsubscribe-invalid', 'connect', 'expired']) {
          await open(`/${name}`);
          expect(await page.evaluate('document.documentElement.lang')).toBe(
            language === 'no' ? 'nb' : language,
          );
          expect(await page.evaluate('getComputedStyle(document.body).direction')).toBe(
            directionOf(language),
          );
          expect(await violations()).toEqual([]);
          expect(await isTooWide()).toBe(false);
          await picture(`hosted-${name}-${language}`);
        }
      },
    ),
  );

  it('is used by the keyboard alone', () =>
    visit({ origin }, async ({ focused, open, page }) => {
      await open('/unsubscribe');
      await page.keyboard.press('Tab');
      await page.keyboard.press('ArrowDown');
      expect(await page.evaluate("document.querySelector('[value=optional]').checked")).toBe(true);
      await page.keyboard.press('Tab');
      expect(await focused()).toBe('button Unsubscribe');
    }));
});
