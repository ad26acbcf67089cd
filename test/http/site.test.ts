import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliCompressSync, brotliDecompressSync, gunzipSync, gzipSync } from 'node:zlib';
import { afterAll, describe, expect, it } from 'vitest';
import { serveSite } from '../../lib/http/pages/site.ts';
import { manifestName, type SiteManifest } from '../../lib/http/pages/site-manifest.ts';
import { context, type EventInput, gatewayEvent, urls } from './gateway.ts';

const folder = mkdtempSync(join(tmpdir(), 'parley-site-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const page = `<!doctype html>${'<p>words</p>'.repeat(100)}`;
const manifest: SiteManifest = {
  '/docs': { type: 'text/html; charset=utf-8', hash: 'aa', isImmutable: false },
  '/docs/assets/site-1.js': { type: 'text/javascript', hash: 'bb', isImmutable: true },
  '/404': { type: 'text/html; charset=utf-8', hash: 'cc', isImmutable: false },
};
writeFileSync(join(folder, manifestName), JSON.stringify(manifest));
writeFileSync(join(folder, 'secret'), 'outside of the list');
for (const [hash, text] of Object.entries({ aa: page, bb: 'script', cc: 'missing' })) {
  writeFileSync(join(folder, `${hash}.br`), brotliCompressSync(text));
  writeFileSync(join(folder, `${hash}.gz`), gzipSync(text));
}

const handler = serveSite('site', folder, urls);
async function get(path: string, headers: Record<string, string> = {}, more: EventInput = {}) {
  const answer = await handler(gatewayEvent({ path, headers, ...more }), context);
  const bytes = Buffer.from(answer.body ?? '', answer.isBase64Encoded ? 'base64' : 'utf8');
  return { status: answer.statusCode, headers: answer.headers ?? {}, bytes };
}

describe('serveSite', () => {
  it.each([
    ['br', 'gzip, deflate, br, zstd', brotliDecompressSync],
    ['gzip', 'gzip', gunzipSync],
    ['gzip', 'br;q=0, GZIP;q=0.5', gunzipSync],
    ['br', '*', brotliDecompressSync],
    [undefined, '', (bytes: Buffer) => bytes],
    [undefined, 'identity', (bytes: Buffer) => bytes],
    [undefined, 'br;q=0,*;q=0', (bytes: Buffer) => bytes],
    [undefined, ';;,q=,,br;q=0.0', (bytes: Buffer) => bytes],
  ])('sends %s to a client that accepts "%s"', async (encoding, accepted, decode) => {
    const { status, headers, bytes } = await get('/docs', { 'accept-encoding': accepted });
    expect(status).toBe(200);
    expect(headers['content-encoding']).toBe(encoding);
    expect(decode(bytes).toString()).toBe(page);
  });

  it('has a tag for each encoding, and answers 304 to the client that has it', async () => {
    const { headers } = await get('/docs', { 'accept-encoding': 'br' });
    const etag = String(headers.etag);
    expect((await get('/docs')).headers.etag).not.toBe(etag);
    for (const tags of [etag, `W/${etag}`, `"other", ${etag}`, '*']) {
      const again = await get('/docs', { 'accept-encoding': 'br', 'if-none-match': tags });
      expect([again.status, again.bytes.length], tags).toEqual([304, 0]);
      expect(again.headers).toMatchObject({ etag, 'cache-control': 'public, max-age=300' });
      expect(again.headers['content-encoding']).toBeUndefined();
    }
    const other = await get('/docs', { 'accept-encoding': 'gzip', 'if-none-match': etag });
    expect(other.status).toBe(200);
  });

  it('lets files with a hash in their name be cached for a year, and pages for minutes', async () => {
    const cacheOf = async (path: string) => (await get(path)).headers['cache-control'];
    expect(await cacheOf('/docs/assets/site-1.js')).toBe('public, max-age=31536000, immutable');
    expect(await cacheOf('/docs')).toBe('public, max-age=300');
  });

  it('allows its own files only, and no indexing', async () => {
    const { headers } = await get('/docs');
    expect(headers).toMatchObject({
      'content-security-policy':
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'",
      'x-content-type-options': 'nosniff',
      'x-robots-tag': 'noindex, nofollow',
      'x-request-id': expect.any(String),
      vary: 'accept, accept-encoding',
    });
  });

  it('answers HEAD with the headers of GET', async () => {
    const { status, headers, bytes } = await get('/docs', {}, { method: 'HEAD' });
    expect([status, bytes.length]).toEqual([200, 0]);
    expect(headers).toMatchObject({ 'content-length': String(Buffer.byteLength(page)) });
  });

  it.each([
    '/docs/nothing',
    '/docs/../secret',
    '/docs/%2e%2e%2fsecret',
    '/docs/..%5csecret',
    '/secret',
    '/404',
    '/DOCS',
    '/docs%00',
    '/docs/',
    '//docs',
    '/docs/__proto__',
    '__proto__',
    'constructor',
    '/docs/\u{202e}',
    `/docs/${'a'.repeat(8000)}`,
  ])('answers 404 to %s: a page for people, a problem for programs', async (path) => {
    const forPeople = await get(path, { accept: 'text/html,*/*;q=0.8' });
    expect([forPeople.status, forPeople.bytes.toString()]).toEqual([404, 'missing']);
    const forPrograms = await get(path, { 'if-none-match': '*' });
    expect(forPrograms.status).toBe(404);
    expect(JSON.parse(forPrograms.bytes.toString())).toMatchObject({ code: 'not_found' });
  });

  it('ignores the query', async () => {
    expect((await get('/docs', {}, { query: `q=${'%00'.repeat(2000)}` })).status).toBe(200);
  });
});
