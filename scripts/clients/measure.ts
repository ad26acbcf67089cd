/** Figures of the TypeScript library: sizes, what a call costs beside `fetch`, and what becomes of sends whose answers are lost. */
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';
import { Parley } from '../../clients/typescript/src/index.ts';
import { systemRuntime } from '../../clients/typescript/src/runtime.ts';
import { median, quantile } from '../bench/figures.ts';
import { listen } from '../listen.ts';
import { seeded } from '../random.ts';

const library = join(import.meta.dirname, '../../clients/typescript/src/index.ts');

/** Bytes of a program, bundled and minified, and after gzip. */
export async function bundleSize(program: string, nodePaths: readonly string[] = []) {
  const { outputFiles } = await build({
    stdin: {
      contents: program.replace("'parley-client'", JSON.stringify(library)),
      resolveDir: nodePaths[0] ?? import.meta.dirname,
    },
    bundle: true,
    minify: true,
    format: 'esm',
    platform: nodePaths.length > 0 ? 'node' : 'browser',
    // Optional peers of the other libraries.
    external: ['@react-email/render', '@x402/*', 'mppx', 'mppx/*', 'viem', 'viem/*'],
    target: 'es2022',
    write: false,
    logLevel: 'silent',
  });
  const bytes = outputFiles[0]?.contents ?? new Uint8Array();
  return { minified: bytes.length, gzip: gzipSync(bytes).length };
}

const mail = { from: 'a@acme.dev', to: 'anna@example.com', subject: 'Hi', text: 'Hello' };

/** Median and 99th percentile of milliseconds of a send to a server that answers at once. */
export async function callCost(calls: number) {
  const { origin, close } = await listen((request, response) => {
    request.resume().on('end', () => {
      response.setHeader('content-type', 'application/json').end('{"id":"eml_1"}');
    });
  });
  const baseUrl = `${origin}/api/v2`;
  const parley = new Parley({ apiKey: 'key', baseUrl });
  const plain = async () => {
    const headers = { authorization: 'Bearer key', 'content-type': 'application/json' };
    const response = await fetch(`${baseUrl}/emails`, {
      method: 'POST',
      headers,
      body: JSON.stringify(mail),
    });
    await response.json();
  };
  const send = () => parley.emails.send(mail);
  const times = { fetch: [] as number[], library: [] as number[] };
  // By turns, so that both have the same machine.
  for (let call = 0; call < calls; call += 1) {
    times.fetch.push(await timeOf(plain));
    times.library.push(await timeOf(send));
  }
  close();
  const warm = calls / 10;
  return { fetch: percentiles(times.fetch.slice(warm)), library: percentiles(times.library.slice(warm)) };
}

async function timeOf(call: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now();
  await call();
  return performance.now() - startedAt;
}

function percentiles(values: readonly number[]): { p50: number; p99: number } {
  return { p50: median(values), p99: quantile(values, 0.99) };
}

export interface LossFigures {
  readonly lost: number;
  readonly sends: number;
  readonly succeeded: number;
  /** Emails that the service has. */
  readonly emails: number;
  /** Emails beyond one for each call. */
  readonly duplicates: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
}

/** Sends on virtual time to a service that keeps idempotency keys and loses requests and answers. @param lost part of the attempts */
export async function sendsWithLosses(lost: number, sends: number): Promise<LossFigures> {
  const source = seeded(1);
  const random = () => source.below(1_000_000) / 1_000_000;
  const keys = new Set<string>();
  let [nowMs, key] = [0, 0];
  const service = async (_: string, init: RequestInit) => {
    nowMs += 80;
    const fate = random();
    // Half of the losses are of requests.
    if (fate < lost / 2) throw new TypeError('fetch failed');
    keys.add((init.headers as Record<string, string>)['Idempotency-Key'] ?? '');
    if (fate < lost) throw new TypeError('fetch failed');
    return Response.json({ id: 'eml_1' });
  };
  const runtime = {
    ...systemRuntime,
    random,
    now: () => nowMs,
    uuid: async () => `key-${++key}`,
    wait: async (ms: number) => {
      nowMs += ms;
    },
  };
  const parley = new Parley({ apiKey: 'key', baseUrl: 'https://a.example', fetch: service }, runtime);
  const times: number[] = [];
  for (let call = 0; call < sends; call += 1) {
    const startedAt = nowMs;
    const isSent = await parley.emails.send(mail).then(
      () => true,
      () => false,
    );
    if (isSent) times.push(nowMs - startedAt);
  }
  const { p50, p99 } = percentiles(times);
  return {
    lost,
    sends,
    succeeded: times.length,
    emails: keys.size,
    duplicates: Math.max(0, keys.size - sends),
    p50Ms: p50,
    p99Ms: p99,
  };
}
