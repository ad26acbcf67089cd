/** The built console: its size at first view, what its asset has, and how its function answers. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { beforeAll, describe, expect, it } from 'vitest';
import { type ConsoleFolders, consoleFolders } from '../../lib/constructs/console.ts';
import { consoleSite } from '../../lib/http/pages/console.ts';
import { openSite, serveSite } from '../../lib/http/pages/site.ts';
import { manifestName, type SiteManifest } from '../../lib/http/pages/site-manifest.ts';
import { firstViewBytes, firstViewBytesMax } from '../../scripts/console/first-view.ts';
import { context, gatewayEvent, urls } from '../http/gateway.ts';

let folders: ConsoleFolders;
let handler: ReturnType<typeof serveSite>;
beforeAll(() => {
  folders = consoleFolders('Parley');
  handler = serveSite(
    'console',
    join(folders.asset, 'console'),
    urls,
    consoleSite(['wss://a1b2.example.com', 'https://files.example.com']),
  );
});

const manifestOf = (folder: string): SiteManifest =>
  JSON.parse(readFileSync(join(folder, manifestName), 'utf8'));

async function get(path: string) {
  const answer = await handler(
    gatewayEvent({ path, headers: { 'accept-encoding': 'gzip', accept: '*/*' } }),
    context,
  );
  const bytes = Buffer.from(answer.body ?? '', answer.isBase64Encoded ? 'base64' : 'utf8');
  return { ...answer, headers: answer.headers ?? {}, bytes };
}

describe('the console', () => {
  it.each(['console', 'local inbox'] as const)(
    'loads at most 180 KB of script at the first view of the %s',
    (name) => {
      const { scripts } = firstViewBytes(folders, name);
      console.log(`${name}: ${Math.round(scripts / 1024)} KB of script at the first view`);
      expect(scripts).toBeGreaterThan(0);
      expect(scripts).toBeLessThanOrEqual(firstViewBytesMax);
    },
  );

  it('has nothing of the local inbox in its asset', () => {
    const shown = Object.keys(manifestOf(join(folders.asset, 'console')));
    expect(shown).toContain('/console');
    expect(shown.filter((path) => path === '/' || /local|inbox/.test(path))).toEqual([]);
  });

  it('has neither inline scripts nor inline styles in its pages', async () => {
    const inbox = openSite(folders.inbox)({ path: '/', headers: {} });
    for (const page of [gunzipSync((await get('/console')).bytes).toString(), String(inbox.body)]) {
      expect(page).toMatch(
        /<script type="module" crossorigin src="\/console\/assets\/[\w.-]+\.js"><\/script>/,
      );
      expect(page).not.toMatch(/<style|style=|<script>|\bon\w+=/);
    }
  });

  it.each(['/console', '/console/', '/console/domains', '/console/conversations/thr_1', '/console/%2e%2e/x'])(
    'answers its page at %s under a strict policy',
    async (path) => {
      const { statusCode, headers, bytes } = await get(path);
      expect(statusCode).toBe(200);
      expect(gunzipSync(bytes).toString()).toContain('<div id="root">');
      expect(headers).toMatchObject({
        'content-type': 'text/html; charset=utf-8',
        'cache-control': 'public, max-age=300',
      });
      const policy = String(headers['content-security-policy']);
      expect(policy).toContain("frame-ancestors 'none'");
      expect(policy).not.toContain('unsafe-');
      expect(policy).toContain("; connect-src 'self' wss://a1b2.example.com https://files.example.com; ");
    },
  );

  it('serves its files for a year, and 404 for others', async () => {
    const [path = ''] = Object.keys(manifestOf(join(folders.asset, 'console'))).filter((one) =>
      one.endsWith('.js'),
    );
    expect(await get(path)).toMatchObject({
      statusCode: 200,
      headers: { 'cache-control': 'public, max-age=31536000, immutable', 'content-encoding': 'gzip' },
    });
    expect((await get('/console/assets/none.js')).statusCode).toBe(404);
  });
});
