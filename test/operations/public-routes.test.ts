/** Routes without a key, and what is on no route. */
import { describe, expect, it } from 'vitest';
import { operations } from '../../functions/operations.ts';
import { publicFunctions, routesOf } from '../../functions/public.ts';
import { versionOf } from '../../lib/http/versions.ts';
import { type Answer, expectProblem, send } from '../support/contract-requests.ts';

describe('public routes', () => {
  it.each([1, 2] as const)(
    'serve an OpenAPI document of version %d with every operation',
    async (version) => {
      const { status, text } = await send('GET', `/api/v${version}/openapi.json`);
      expect(status).toBe(200);
      const { paths, servers } = JSON.parse(text);
      const base = new URL(servers[0].url).pathname;
      const described = Object.entries<object>(paths).flatMap(([path, methods]) =>
        Object.keys(methods)
          .filter((name) => name !== 'parameters')
          .map((method) => `${method.toUpperCase()} ${base}${path}`),
      );
      const ofVersion = operations.filter(({ path }) => versionOf(path) === version);
      expect(described.sort()).toEqual(ofVersion.map(({ method, path }) => `${method} ${path}`).sort());
    },
  );

  it('report that the API is up', async () => {
    const { status, headers, text } = await send('GET', '/health');
    expect(status).toBe(200);
    expect(headers.get('cache-control')).toBe('private, no-store');
    expect(JSON.parse(text)).toEqual({ status: 'ok' });
  });

  it.each(
    publicFunctions.flatMap((spec) =>
      spec.answersHead ? routesOf(spec).filter(({ method }) => method === 'GET') : [],
    ),
  )('answer HEAD of $path as GET, without a body', async (route) => {
    const path = route.path
      .replace('{code}', 'not_found')
      .replace('{section}/{page}', 'concepts/errors')
      .replace('{proxy+}', 'domains');
    const [head, get] = [await send('HEAD', path), await send('GET', path)];
    expect([head.status, head.text]).toEqual([get.status, '']);
    const shown = ({ headers }: Answer) =>
      Object.fromEntries(
        [...headers].filter(
          ([name]) => !/^(x-request-id|apigw-requestid|date|connection|keep-alive)$/.test(name),
        ),
      );
    expect(shown(head)).toEqual(shown(get));
  });

  it('serve the page of every problem code, which type links to', async () => {
    const { text } = await send('GET', '/api/v2/spaces');
    const { type, code } = JSON.parse(text);
    expect(code).toBe('unauthorized');
    const page = await fetch(type);
    expect(page.status).toBe(200);
    expect(page.headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(await page.text()).toContain('<h1>unauthorized</h1>');
    expectProblem(await send('GET', '/problems/nothing'), 'not_found', { method: 'GET', path: '/problems' });
  });

  it.each(['/docs/', '/docs/v2/', '/docs/concepts/errors/', '/problems/'])(
    'lead %s to the page without the slash',
    async (path) => {
      for (const method of ['GET', 'HEAD'] as const) {
        const { status, headers } = await send(method, path);
        expect([status, headers.get('location')]).toEqual([308, path.slice(0, -1)]);
      }
      expectProblem(await send('POST', path), 'not_found', { method: 'POST', path });
    },
  );

  it('answer 404 when the path does not exist', async () => {
    for (const path of [
      '/api',
      '/api/v2',
      '/api/v2/',
      '/api/v2/nothing',
      '/api/v1',
      '/api/v1/',
      '/api/v1/nothing',
      '/api/v3/spaces',
      '/health/',
      '/docs//',
      '/docs/%5cexample.com/',
    ]) {
      expectProblem(await send('GET', path), 'not_found', { method: 'GET', path });
    }
  });

  it('answer 405 with Allow when the path has other methods', async () => {
    const response = await send('DELETE', '/api/v2/spaces');
    expectProblem(response, 'method_not_allowed', { method: 'DELETE', path: '/api/v2/spaces' });
    expect(response.headers.get('allow')?.split(', ').sort()).toEqual(['GET', 'POST']);
  });
});
