import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { searchLogs } from '../../lib/adapters/log-search.ts';

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
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  vi.stubEnv('AWS_ENDPOINT_URL', `http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  vi.stubEnv('AWS_ACCESS_KEY_ID', 'local-admin');
  vi.stubEnv('AWS_SECRET_ACCESS_KEY', 'secret');
  return { asked: () => asked };
}

const search = () => searchLogs('us-east-1', '/parley/workers', 'eml_1', { from: 0, to: 1000 });

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
