import { describe, expect, it } from 'vitest';
import { apiProblem } from '../../bin/operator/api-problem.ts';

const baseUrl = 'https://links.acme.dev/';

describe('apiProblem', () => {
  it('is null when the host answers as the API', async () => {
    const asked: string[] = [];
    const api: typeof fetch = async (url) => {
      asked.push(String(url));
      return new Response('{"status":"ok"}');
    };
    expect(await apiProblem(baseUrl, api)).toBeNull();
    expect(asked).toEqual(['https://links.acme.dev/health']);
  });

  it.each([
    [200, '<html>Parked</html>'],
    [404, '{"status":"ok"}'],
  ])('says so when the host answers %i %s', async (status, body) => {
    const problem = await apiProblem(baseUrl, async () => new Response(body, { status }));
    expect(problem).toBe(`https://links.acme.dev/health answers ${status}, but not as the API.`);
  });

  it('has the reason when there is no connection', async () => {
    const problem = await apiProblem(baseUrl, async () => {
      throw new TypeError('fetch failed', { cause: new Error('certificate has expired') });
    });
    expect(problem).toBe('https://links.acme.dev/health does not answer: certificate has expired.');
  });
});
