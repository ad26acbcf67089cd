import type { ServerResponse } from 'node:http';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import {
  copyObject,
  getObject,
  ObjectStoreError,
  objectSize,
  putObject,
} from '../../lib/adapters/objects.ts';
import { type HangingServer, hangingServer } from './hanging-server.ts';

const ref = { bucket: 'b', key: 'a/c' };
const failed = '<?xml version="1.0"?>\n<Error><Code>InternalError</Code></Error>';
const copied = '<?xml version="1.0"?>\n<CopyObjectResult><ETag>e</ETag></CopyObjectResult>';

/** An S3 that answers as told; what waits in `lib/adapters/objects.ts` times out at once when a request hangs. */
async function s3(answer: (count: number, response: ServerResponse) => void): Promise<HangingServer> {
  const server = await hangingServer((count, response) => {
    answer(count, response);
    if (!response.writableEnded) setImmediate(() => vi.advanceTimersByTime(2100));
  });
  vi.stubEnv('AWS_ENDPOINT_URL_S3', server.url);
  return server;
}

describe('objects in S3', () => {
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    vi.stubEnv('AWS_ACCESS_KEY_ID', 'id');
    vi.stubEnv('AWS_SECRET_ACCESS_KEY', 'secret');
  });
  afterEach(() => {
    vi.useRealTimers();
    vi.unstubAllEnvs();
  });

  /** Lets the pauses between attempts pass. */
  async function withoutPauses<T>(work: Promise<T>): Promise<T> {
    let isDone = false;
    const done = work.finally(() => {
      isDone = true;
    });
    done.catch(() => {});
    while (!isDone) {
      await new Promise((resolve) => setImmediate(resolve));
      // Pauses are at most 800 ms in all, less than the time limit of a request.
      if (vi.getTimerCount() > 0) vi.advanceTimersByTime(1);
    }
    return await done;
  }

  it('getObject retries when the response hangs', async () => {
    const server = await s3((count, response) => {
      if (count > 1) response.end('content');
    });
    expect((await withoutPauses(getObject(ref))).toString()).toBe('content');
    expect(server.requests).toEqual(['GET /b/a/c', 'GET /b/a/c']);
  });

  it('getObject retries when the body stops', async () => {
    const server = await s3((count, response) => {
      if (count > 1) return response.end('content');
      response.writeHead(200, { 'content-length': '7' });
      response.write('con');
    });
    expect((await withoutPauses(getObject(ref))).toString()).toBe('content');
    expect(server.requests).toHaveLength(2);
  });

  it('putObject rejects when no attempt is answered', async () => {
    const server = await s3(() => {});
    const storing = withoutPauses(putObject(ref, Buffer.from('content'), 'text/plain'));
    await expect(storing).rejects.toBeInstanceOf(ObjectStoreError);
    expect(server.requests).toHaveLength(4);
  });

  it('objectSize answers null without a retry when S3 answers 403', async () => {
    const server = await s3((_, response) => response.writeHead(403).end());
    expect(await withoutPauses(objectSize(ref))).toBeNull();
    expect(server.requests).toHaveLength(1);
  });

  it('copyObject retries when S3 answers 200 with an error in the body', async () => {
    const server = await s3((count, response) => response.end(count > 1 ? copied : failed));
    await withoutPauses(copyObject(ref, { bucket: 'b', key: 'd' }));
    expect(server.requests).toEqual(['PUT /b/d', 'PUT /b/d']);
  });

  it('copyObject rejects when every answer has an error in the body', async () => {
    await s3((_, response) => response.end(failed));
    const copying = withoutPauses(copyObject(ref, { bucket: 'b', key: 'd' }));
    await expect(copying).rejects.toThrow('InternalError');
  });
});
