import { describe, expect, it } from 'vitest';
import { Problem, type ProblemCode, problemStatus } from '../../../lib/core/problems.ts';
import { pageLanguages } from '../../../lib/http/pages/languages.ts';
import { noFacts, type PageFacts, type PageSubject, problemPage } from '../../../lib/http/pages/problem.ts';
import { connectSentences } from '../../../lib/http/pages/sentences/connect.ts';
import { problemSentences } from '../../../lib/http/pages/sentences/problems.ts';
import { unsubscribeSentences } from '../../../lib/http/pages/sentences/unsubscribe.ts';
import { servePage } from '../../../lib/http/serve-page.ts';
import { captureLog } from '../../support/log-lines.ts';
import { context, gatewayEvent, urls } from '../gateway.ts';

const codes = Object.keys(problemStatus) as ProblemCode[];
const subjects: readonly PageSubject[] = ['connection', 'unsubscribe link', 'link of an email', 'page'];
const facts: PageFacts = {
  name: 'Acme & Sons',
  supportEmail: 'help@acme.test',
  backUrl: 'https://acme.test/connected?user=7',
  againUrl: '/connect/acme',
};

const html = (given: Partial<Parameters<typeof problemPage>[0]> = {}) => {
  const code = given.code ?? 'not_found';
  const status = code === 'denied' ? 200 : problemStatus[code];
  const page = problemPage({
    ...{ subject: 'connection', code, status, language: 'en', requestId: 'req-1', facts },
    ...given,
  });
  return String(page.body);
};

/** Text of the page without the code and the request id at its end. */
const told = (page: string) =>
  page
    .replace(/.*<body>/s, '')
    .replace(/<p class="facts">.*/s, '')
    .replace(/<[^>]*>/g, ' ');

describe('the sentences of pages', () => {
  const tables = Object.entries({ connectSentences, problemSentences, unsubscribeSentences });

  it.each(tables)('%s have the values of the English ones in each language', (_, table) => {
    const valuesOf = (text: string) => [...new Set(text.match(/\{\w+\}/g))].sort();
    for (const language of pageLanguages) {
      for (const [name, english] of Object.entries(table.en)) {
        const sentence = (table[language] as Readonly<Record<string, string>>)[name] ?? '';
        expect(valuesOf(sentence), `${language} ${name}`).toEqual(valuesOf(english));
        expect(sentence.trim(), `${language} ${name}`).toBe(sentence);
        expect(sentence, `${language} ${name}`).not.toBe('');
      }
    }
  });

  it.each(tables)('%s are in the script of their language', (_, table) => {
    const scripts: Readonly<Record<string, RegExp>> = {
      ru: /\p{Script=Cyrillic}/u,
      he: /\p{Script=Hebrew}/u,
      ar: /\p{Script=Arabic}/u,
      ja: /[\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Han}]/u,
      ko: /\p{Script=Hangul}/u,
      'zh-Hans': /\p{Script=Han}/u,
      'zh-Hant': /\p{Script=Han}/u,
    };
    const foreign = /[\p{Script=Cyrillic}\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Hangul}\p{Script=Han}]/u;
    for (const language of pageLanguages) {
      const texts = Object.values(table[language]).map((text) => text.replace(/\{\w+\}/g, ''));
      const script = scripts[language];
      expect(texts.filter((text) => (script ? !script.test(text) : foreign.test(text)))).toEqual([]);
    }
  });
});

describe('the page of a problem', () => {
  it.each(subjects)('of a %s says nothing of the API, whatever the code', (subject) => {
    for (const code of codes) {
      const text = told(html({ subject, code }));
      expect(text, code).not.toContain(code);
      expect(text, code).not.toMatch(
        /return_to|state|query|parameter|API|scope|header|request|workspace|JSON/,
      );
    }
  });

  it('ends with the code and the request id', () => {
    expect(html()).toContain(
      '<p class="facts">Code: <code dir="ltr">not_found</code><br>Reference: <code dir="ltr">req-1</code></p>',
    );
    expect(html({ code: 'denied' })).not.toContain('Code:');
  });

  it('names the app, and leads to a new start, back to it and to its support', () => {
    const page = html({ code: 'expired_state' });
    expect(page).toContain('<p class="kicker"><bdi>Acme &amp; Sons</bdi></p>');
    expect(page).toContain('<a class="go" href="/connect/acme">Try again</a>');
    expect(page).toContain(
      '<a class="go second" href="https://acme.test/connected?user=7">Back to <bdi>Acme &amp; Sons</bdi></a>',
    );
    expect(page).toContain('<a href="mailto:help@acme.test"><bdi>help@acme.test</bdi></a>');
  });

  it('offers no new start where it would fail again', () => {
    for (const code of ['not_found', 'limit_reached', 'mailbox_space_conflict'] as const) {
      expect(html({ code })).not.toContain('Try again');
    }
  });

  it('has no way that is not known', () => {
    expect(html({ code: 'expired_state', facts: noFacts })).not.toContain('href');
    expect(html({ facts: { ...noFacts, backUrl: 'https://acme.test/x' } })).toContain(
      'Back to <bdi>acme.test</bdi>',
    );
  });

  it('escapes what the app has', () => {
    const hostile = `"><script>alert('x')</script>`;
    const page = html({
      code: 'expired_state',
      requestId: hostile,
      facts: { name: hostile, supportEmail: `a"b@acme.test`, backUrl: facts.backUrl, againUrl: hostile },
    });
    expect(page).not.toContain('<script');
    expect(page).not.toContain('a"b');
  });

  it.each([
    ['de', '<html lang="de">', 'Dieser Link funktioniert nicht'],
    ['no', '<html lang="nb">', 'Lenken virker ikke'],
    ['he', '<html lang="he" dir="rtl">', 'הקישור הזה אינו פועל'],
    ['zh-Hant', '<html lang="zh-Hant">', '此連結無法使用'],
  ] as const)('is in %s', (language, element, title) => {
    const page = html({ language });
    expect(page).toContain(element);
    expect(page).toContain(`<h1>${title}</h1>`);
  });
});

describe('servePage', () => {
  const failing = (error: unknown, route: Parameters<typeof servePage>[1] = { subject: 'connection' }) =>
    servePage('test', { ...route, urls }, async () => {
      throw error;
    });
  const browser = { accept: 'text/html,application/xhtml+xml', 'accept-language': 'fr-CA,fr;q=0.9' };
  const ask = (
    handler: ReturnType<typeof failing>,
    headers: Record<string, string> = browser,
    method = 'GET',
  ) =>
    handler(
      gatewayEvent({ path: '/connect/acme', method, headers: { 'x-request-id': 'r', ...headers } }),
      context,
    );

  it('answers a browser a page in its language, with the cause in the log', async () => {
    const lines = captureLog();
    const result = await ask(failing(new Problem('invalid_state', 'Not ours.')));
    expect(result.statusCode).toBe(400);
    expect(result.headers).toMatchObject({
      'content-type': 'text/html; charset=utf-8',
      vary: 'accept, accept-language',
      'cache-control': 'private, no-store',
    });
    expect(result.body).toContain('Ce lien ne fonctionne pas');
    expect(result.body).not.toContain('Not ours.');
    expect(lines).toMatchObject([{ event: 'api.page_problem', code: 'invalid_state', reason: 'Not ours.' }]);
  });

  it('answers a program a problem body', async () => {
    const answer = await ask(failing(new Problem('invalid_state', 'Not ours.')), {
      accept: 'application/json',
    });
    expect(answer.headers).toMatchObject({ 'content-type': 'application/problem+json' });
    expect(answer.body).toContain('Not ours.');
  });

  it('answers a page to a failure of ours, and logs it once', async () => {
    const lines = captureLog();
    const result = await ask(failing(new Error('secret of the table')));
    expect(result.statusCode).toBe(500);
    expect(result.body).toContain('L’erreur vient de nous');
    expect(result.body).not.toContain('secret');
    expect(lines).toMatchObject([{ event: 'api.internal_error', operation: 'test' }]);
  });

  it('answers a page although what it would show cannot be read', async () => {
    const facts = async () => {
      throw new Error('the table is away');
    };
    const lines = captureLog();
    const result = await ask(
      failing(new Problem('expired_state', 'Late.'), { subject: 'connection', facts }),
    );
    expect(result.statusCode).toBe(400);
    expect(lines.map(({ event }) => event)).toEqual(['api.internal_error', 'api.page_problem']);
  });

  it('answers HEAD the headers of the page', async () => {
    captureLog();
    const answer = await ask(failing(new Problem('not_found', 'No.')), browser, 'HEAD');
    const page = await ask(failing(new Problem('not_found', 'No.')), browser);
    expect(answer.body).toBeUndefined();
    expect(answer.headers).toEqual({
      ...page.headers,
      'content-length': String(Buffer.byteLength(page.body ?? '')),
    });
  });
});
