import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { LogsRefused, logPages, searchLogs, termOf } from '../../lib/adapters/log-search.ts';

afterEach(() => void vi.unstubAllEnvs());

/** CloudWatch Logs with a search of so many pages: the first half is empty, as of a long log. */
async function logsWith(pages: number) {
  let asked = 0;
  const server = createServer(async (request, response) => {
    const { nextToken = '0' } = JSON.parse(await text(request));
    const page = Number(nextToken);
    asked += 1;
    const isLast = page + 1 === pages;
    const events = page < pages / 2 ? [] : [{ timestamp: pages - page, message: `line ${page}` }];
    response.end(JSON.stringify({ events, ...(!isLast && { nextToken: String(page + 1) }) }));
  });
  await useAsLogs(server);
  return { asked: () => asked };
}

/** Has searches of this test ask a server. */
async function useAsLogs(server: Server): Promise<void> {
  await once(server.listen(0, '127.0.0.1'), 'listening');
  onTestFinished(() => void server.close());
  vi.stubEnv('AWS_ENDPOINT_URL', `http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  vi.stubEnv('AWS_ACCESS_KEY_ID', 'local-admin');
  vi.stubEnv('AWS_SECRET_ACCESS_KEY', 'secret');
}

const wanted = {
  ...{ region: 'us-east-1', group: '/parley/workers', pattern: termOf('eml_1') },
  ...{ from: 0, to: 1000 },
};
const search = () => searchLogs(wanted);

describe('searchLogs', () => {
  it.each([
    [1, 1],
    [50, 50],
    [51, 50],
    [5000, 50],
  ])('of %d pages reads %d, and returns their lines, oldest first', async (pages, read) => {
    const logs = await logsWith(pages);
    const lines = await search();
    expect(logs.asked()).toBe(read);
    const expected = Array.from({ length: read }, (_, page) => page).filter((page) => page >= pages / 2);
    expect(lines.map(({ text: line }) => line)).toEqual(expected.reverse().map((page) => `line ${page}`));
  });
});

/** CloudWatch Logs that answers so, one answer after the other, and then with an empty page. */
async function logsThatAnswer(...answers: readonly (readonly [status: number, body: string])[]) {
  let asked = 0;
  const server = createServer((_, response) => {
    const [status, body] = answers[asked++] ?? [200, '{"events":[]}'];
    if (status === 0) response.destroy();
    else response.writeHead(status).end(body);
  });
  await useAsLogs(server);
  return { asked: () => asked };
}

const refusal = (type: string, message?: string) => JSON.stringify({ __type: type, message });
const all = async () => {
  const found = [];
  for await (const lines of logPages(wanted)) found.push(...lines);
  return found;
};

describe('logPages', () => {
  it('reads all pages, however many', async () => {
    const logs = await logsWith(500);
    expect(await all()).toHaveLength(250);
    expect(logs.asked()).toBe(500);
  });

  it('asks again where it was throttled, the service failed, or the connection was lost', async () => {
    const logs = await logsThatAnswer(
      [400, refusal('ThrottlingException', 'Rate exceeded')],
      [503, refusal('ServiceUnavailableException')],
      [0, ''],
      [200, 'no JSON'],
      [200, '{"events":[{"timestamp":1,"message":"line"}]}'],
    );
    expect(await all()).toEqual([{ at: 1, text: 'line' }]);
    expect(logs.asked()).toBe(5);
  });

  it.each([
    [refusal('AccessDeniedException', 'not authorized'), 'AccessDeniedException', 'not authorized'],
    [
      refusal('com.amazonaws.logs#InvalidParameterException'),
      'InvalidParameterException',
      'CloudWatch Logs answered 400',
    ],
    ['{}', 'UnknownError', 'CloudWatch Logs answered 400'],
    [refusal('x'.repeat(5000), 'y'.repeat(5000)), 'x'.repeat(100), 'y'.repeat(500)],
  ])('throws what CloudWatch Logs says: %.60s', async (body, name, message) => {
    const logs = await logsThatAnswer([400, body]);
    const error = await all().catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(LogsRefused);
    expect(error).toMatchObject({ name, message, $metadata: { httpStatusCode: 400 } });
    expect(logs.asked()).toBe(1);
  });

  it('of a group that is not there is refused; a search in it finds nothing', async () => {
    const missing = [400, refusal('ResourceNotFoundException', 'no group')] as const;
    await logsThatAnswer(missing, missing);
    await expect(all()).rejects.toThrow('no group');
    expect(await search()).toEqual([]);
  });
});
