/** The whole site of this repository: links, samples, sizes. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { stripTypeScriptTypes } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import MiniSearch from 'minisearch';
import { describe, expect, it } from 'vitest';
import { groups, operations } from '../../functions/operations.ts';
import { siteFiles } from '../../lib/constructs/site.ts';
import { problemStatus } from '../../lib/core/problems.ts';
import { exampleDeployment, openApiDocument } from '../../lib/http/openapi.ts';
import { operationName } from '../../lib/http/operation-names.ts';
import { versionOf } from '../../lib/http/versions.ts';
import { readDocument } from '../../lib/site/reference/document.ts';
import { samplesOf } from '../../lib/site/reference/samples.ts';
import { type SearchEntry, searchHits, searchOptions } from '../../lib/site/search-options.ts';

const files = siteFiles('Parley');
const pages = new Map(
  [...files]
    .filter(([, { type }]) => type.startsWith('text/html'))
    .map(([url, { content }]) => [url, String(content)]),
);
const idsOf = (html: string) => [...html.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id ?? '');
/** Routes of other functions. */
const others = new Set(['/health', '/api/v1/openapi.json', '/api/v2/openapi.json']);

function faultOf(url: string, href: string): string | null {
  if (/^https?:/.test(href)) return null;
  const [path = '', anchor] = href.split('#');
  const target = path === '' ? url : path;
  if (!files.has(target) && !others.has(target)) return `${url}: ${href} does not exist`;
  if (anchor === undefined || idsOf(pages.get(target) ?? '').includes(anchor.replaceAll('&#39;', "'")))
    return null;
  return `${url}: ${href} has no such anchor`;
}

describe('the site', () => {
  it('has links to pages and anchors that exist only', () => {
    const faults = [...pages].flatMap(([url, html]) =>
      [...html.matchAll(/ (?:href|src)="([^"]*)"/g)].flatMap(([, href]) => faultOf(url, href ?? '') ?? []),
    );
    expect(pages.size).toBeGreaterThan(90);
    expect([...new Set(faults)]).toEqual([]);
  });

  it('has each id once on a page', () => {
    const twice = [...pages].flatMap(([url, html]) => {
      const ids = idsOf(html);
      return ids.filter((id, at) => ids.indexOf(id) !== at).map((id) => `${url}#${id}`);
    });
    expect(twice).toEqual([]);
  });

  it('has a Markdown twin of each page, with links to files that exist', () => {
    for (const url of pages.keys()) {
      if (url === '/404') continue;
      const twin = url === '/' ? '/index.md' : `${url}.md`;
      expect(files.get(twin)?.type, twin).toBe('text/markdown; charset=utf-8');
    }
    const links = [...files].flatMap(([url, { type, content }]) =>
      type.startsWith('text/markdown') || url === '/llms.txt'
        ? [...String(content).matchAll(/\]\((\/[^)#\s]*)/g)].map(([, target]) => ({
            url,
            target: target ?? '',
          }))
        : [],
    );
    expect(links.filter(({ target }) => !files.has(target) && !others.has(target))).toEqual([]);
  });

  it('has a page for each problem code and each operation of both versions', () => {
    for (const code of Object.keys(problemStatus))
      expect(pages.get(`/problems/${code}`)).toContain(`<h1>${code}</h1>`);
    for (const contract of operations) {
      const [, group = ''] = /^(?:v1\.)?([\w-]+)\./.exec(contract.id) ?? [];
      const page = pages.get(`/docs/v${versionOf(contract.path)}/${group}`);
      expect(page, contract.id).toContain(` id="${operationName(contract)}"`);
    }
  });

  it('links problem codes to operations and concepts, and back', () => {
    expect(pages.get('/problems/thread_not_found')).toContain('href="/docs/v2/threads#replyToThread"');
    expect(pages.get('/problems/thread_not_found')).toContain('href="/docs/concepts/errors#codes"');
    for (const code of ['thread_not_found', 'no_recipients']) {
      expect(pages.get('/docs/concepts/errors')).toContain(`href="/problems/${code}"`);
    }
    expect(pages.get('/docs/v2/threads')).toContain('href="/problems/thread_not_found"');
  });

  it('has no code or style within pages, and nothing of other hosts', () => {
    for (const [url, html] of pages) {
      expect(
        html.match(/<script(?! src="\/docs\/assets\/)|<style| style="| on\w+="|<iframe|javascript:/i),
        url,
      ).toBeNull();
      expect(html.match(/(?:src|<link[^>]* href)="https?:/), url).toBeNull();
    }
  });

  it('has a script of at most 30 KB, a style of at most 10 KB and pages of at most 60 KB, compressed', () => {
    const kilobytes = [...files].map(([url, { content }]) => ({
      url,
      size: gzipSync(content).length / 1024,
    }));
    const most = (pattern: RegExp) =>
      Math.max(...kilobytes.filter(({ url }) => pattern.test(url)).map(({ size }) => size));
    expect(most(/\.js$/)).toBeLessThan(30);
    expect(most(/\.css$/)).toBeLessThan(10);
    expect(most(/^(?!.*search-)/)).toBeLessThan(60);
    expect(most(/search-/)).toBeLessThan(150);
  });

  it('has the brand of the deployment in its words and headers, and the class of the client library as it is', () => {
    const other = siteFiles('Acme-Mail');
    const textOf = (url: string) => String(other.get(url)?.content);
    expect(textOf('/docs')).toContain('<title>Documentation · Acme-Mail</title>');
    expect(textOf('/docs/concepts/webhooks')).not.toContain('Parley-');
    expect(textOf('/docs/v2/emails')).toContain('>Parley</span>();');
    expect(textOf('/docs/concepts/webhooks.md')).toContain('Acme-Mail-Signature');
  });

  it.each([
    ['attachment', '/docs/concepts/attachments'],
    ['atachments', '/docs/concepts/attachments'],
    ['bounce', '/docs/concepts/reading-mail#hard-bounces'],
    ['429', '/problems/too_many_requests'],
    ['dkim', '/docs/concepts/domains#dns-records'],
    ['schedule', '/docs/concepts/pacing#scheduled-emails'],
    ['reply_all', '/docs/concepts/threads#reply'],
    ['idempotency', '/docs/concepts/idempotency'],
    ['webhok', '/docs/concepts/webhooks'],
    ['gmail', '/docs/guides/mailboxes'],
    ['send email', '/docs/v2/emails#sendEmail'],
    ['createDomain', '/docs/v2/domains#createDomain'],
    ['thread_not_found', '/problems/thread_not_found'],
  ])('finds by "%s" what a newcomer looks for, within three hits', (query, url) => {
    const [, file] = [...files].find(([path]) => path.includes('/search-')) ?? [];
    const index = MiniSearch.loadJSON<SearchEntry>(String(file?.content), searchOptions);
    expect(searchHits(index, query, 3).map((hit) => hit.url)).toContain(url);
  });

  it('is the same for the same sources', () => {
    expect([...siteFiles('Parley')].map(([url, { content }]) => [url, String(content)])).toEqual(
      [...files].map(([url, { content }]) => [url, String(content)]),
    );
  });
});

describe.each([1, 2] as const)('samples of version %d', (version) => {
  const json = openApiDocument({ operations, groups, version }, exampleDeployment);
  const names = new Map(operations.map(({ id, method, path }) => [`${method} ${path}`, id]));
  const document = readDocument(json, names);
  const ajv = new Ajv2020({ strict: false, allErrors: true });
  addFormats.default(ajv);
  ajv.addSchema({ ...json, $id: 'api' });
  const all = document.groups.flatMap((group) => group.operations);

  it.each(all.map((operation) => [operation.id, operation] as const))(
    'of %s fit the contract',
    (_, operation) => {
      const [curl, typescript, python] = samplesOf(operation, document.version).map(({ code }) => code);
      if (operation.body) {
        const [, body] = /-d '([\s\S]*)'(?: \\\n|$)/.exec(curl ?? '') ?? [];
        const value: unknown = JSON.parse((body ?? '').replaceAll("'\\''", "'"));
        const schema = JSON.parse(JSON.stringify(operation.body.schema).replaceAll('"#/', '"api#/'));
        expect(ajv.validate(schema, value), JSON.stringify(ajv.errors)).toBe(true);
      }
      for (const sample of [curl, typescript, python])
        expect(sample).not.toMatch(/undefined|\[object|\{\w+_id\}|""\)/);
      expect(() => stripTypeScriptTypes(typescript ?? '')).not.toThrow();
    },
  );
});

describe('samples in TypeScript', () => {
  it('compile with the client library', () => {
    const root = join(import.meta.dirname, '../..');
    const folder = mkdtempSync(join(tmpdir(), 'parley-samples-'));
    const { version, groups: all } = readDocument(
      openApiDocument({ operations, groups, version: 2 }, exampleDeployment),
      new Map(operations.map(({ id, method, path }) => [`${method} ${path}`, id])),
    );
    for (const operation of all.flatMap((group) => group.operations)) {
      const sample = samplesOf(operation, version).find(({ language }) => language === 'typescript');
      writeFileSync(join(folder, `${operation.name}.ts`), sample?.code ?? '');
    }
    const config = {
      extends: join(root, 'tsconfig.json'),
      compilerOptions: {
        paths: { 'parley-client': [join(root, 'clients/typescript/src/index.ts')] },
        typeRoots: [join(root, 'node_modules/@types')],
      },
      include: ['*.ts'],
    };
    writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(config));
    writeFileSync(join(folder, 'package.json'), JSON.stringify({ type: 'module' }));
    const { stdout } = spawnSync(join(root, 'node_modules/.bin/tsc'), ['-p', folder], { encoding: 'utf8' });
    rmSync(folder, { recursive: true });
    expect(stdout).toBe('');
  });
});
