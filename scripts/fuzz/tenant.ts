/** A workspace with a client that sends raw requests. */

import { randomBytes } from 'node:crypto';
import { createKey } from '../../lib/services/api-keys/api-keys.ts';
import { createWorkspace } from '../../lib/services/workspaces/workspaces.ts';
import { apiPath } from '../../test/support/api-path.ts';
import { createHttpClient, type HttpResponse } from './http-client.ts';

/** A local cloud as the fuzzers use it: that of a script, or that of a test. */
export interface FuzzCloud {
  readonly baseUrl: string;
  readonly controlUrl: string;
  readonly smtpPort: number;
  /** Waits until nothing is running or queued except timers. */
  settle(): Promise<void>;
}

export interface FuzzTenant {
  readonly providedDomain: string;
  readonly key: string;
  /** Id of the key, which no request may delete. */
  readonly keyId: string;
  /** @param path below `/api/v2`, unless it names a version */
  call(method: string, path: string, body?: unknown): Promise<HttpResponse>;
  close(): void;
}

export async function newFuzzTenant({ baseUrl }: FuzzCloud): Promise<FuzzTenant> {
  const slug = `fuzz-${randomBytes(6).toString('hex')}`;
  const { id, providedDomain } = await createWorkspace({ slug, name: slug });
  const { token, key } = await createKey(id, { name: 'fuzz', scope: 'full' });
  const client = createHttpClient(baseUrl);
  return {
    providedDomain: providedDomain ?? '',
    key: token,
    keyId: key.id,
    call: (method, path, body) =>
      client.send({
        method,
        path: apiPath(path),
        headers: {
          authorization: `Bearer ${token}`,
          ...(body !== undefined && { 'content-type': 'application/json' }),
        },
        ...(body !== undefined && { body: Buffer.from(JSON.stringify(body)) }),
      }),
    close: client.close,
  };
}

/** The body of a response that must be a success. @throws Error otherwise */
export function bodyOf<T>({ status, body }: HttpResponse): T {
  if (status >= 400) throw new Error(`a request of the set-up was refused: ${status} ${body}`);
  return JSON.parse(body.toString());
}

/** Runs `work` for each item, at most `atOnce` at a time; results in the order of the items. */
export async function inParallel<T, R>(
  items: readonly T[],
  atOnce: number,
  work: (item: T) => Promise<R>,
): Promise<R[]> {
  const results: R[] = [];
  const next = items.entries();
  const worker = async () => {
    for (const [at, item] of next) results[at] = await work(item);
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
  return results;
}
