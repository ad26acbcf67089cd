/** Functions with the same code and environment share threads. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { createFunctions, type Functions } from '../../lib/local/functions.ts';
import { createLogRing } from '../../lib/local/logs.ts';

const code = `
import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
const thread = randomUUID();
export const echo = async (event, { memoryLimitInMB }) => {
  await wait(event?.ms ?? 0);
  const { AWS_ACCESS_KEY_ID: key, AWS_LAMBDA_FUNCTION_NAME: name, OWN: own } = process.env;
  return { thread, key, name, own, memoryMb: Number(memoryLimitInMB) };
};
`;

interface Answer {
  readonly thread: string;
  readonly key: string;
  readonly name: string;
  readonly own: string;
  readonly memoryMb: number;
}

const codeFolder = mkdtempSync(join(tmpdir(), 'shared-threads-'));
let functions: Functions;

function start(options: { threads?: number; idleMs?: number } = {}): void {
  const { threads = 3, ...rest } = options;
  const specs = [
    { name: 'first', own: 'a', memoryMb: 128, timeoutSeconds: 30 },
    { name: 'second', own: 'a', memoryMb: 256, timeoutSeconds: 30 },
    { name: 'hasty', own: 'a', memoryMb: 128, timeoutSeconds: 0.1 },
    { name: 'other', own: 'b', memoryMb: 128, timeoutSeconds: 30 },
  ];
  functions = createFunctions({
    specs: specs.map(({ own, ...spec }) => ({
      ...spec,
      arn: `arn:aws:lambda:us-east-1:111111111111:function:${spec.name}`,
      codeFolder,
      handler: 'code.echo',
      environment: { OWN: own },
    })),
    skew: new SharedArrayBuffer(8),
    logs: createLogRing({ now: Date.now }),
    limits: { threads },
    ...rest,
  });
}

const call = async (name: string, ms = 0) => (await functions.invoke(name, { ms })) as Answer;
const threadsOf = (answers: readonly Answer[]) => new Set(answers.map(({ thread }) => thread)).size;

beforeAll(() => writeFileSync(join(codeFolder, 'code.mjs'), code));
afterEach(() => functions.close());
afterAll(() => rmSync(codeFolder, { recursive: true }));

describe('functions that share threads', () => {
  it('run under their own name, role and memory', async () => {
    start();
    const [one, two, again] = [await call('first'), await call('second'), await call('first')];
    expect([one, two, again]).toMatchObject([
      { key: 'first~1', name: 'first', own: 'a', memoryMb: 128 },
      { key: 'second~1', name: 'second', own: 'a', memoryMb: 256 },
      { key: 'first~1', name: 'first', own: 'a', memoryMb: 128 },
    ]);
    expect(threadsOf([one, two, again])).toBe(1);
  });

  it('share none with a function of another environment', async () => {
    start();
    const answers = [await call('first'), await call('other')];
    expect(answers).toMatchObject([{ own: 'a' }, { own: 'b' }]);
    expect(threadsOf(answers)).toBe(2);
  });

  it('keep to the number of threads in a burst', async () => {
    start({ threads: 2 });
    // A thread that starts for longer than a second stands still: another would start.
    await call('first');
    const answers = await Promise.all(
      Array.from({ length: 40 }, (_, at) => call(at % 2 === 0 ? 'first' : 'second')),
    );
    expect(threadsOf(answers)).toBeLessThanOrEqual(2);
    expect(answers.map(({ name }) => name)).toEqual(
      Array.from({ length: 40 }, (_, at) => (at % 2 === 0 ? 'first' : 'second')),
    );
  });

  it('get a further thread when all stand still: one may wait for another', async () => {
    start({ threads: 1 });
    const standing = call('first', 20_000).catch(() => {});
    expect((await call('first')).key).toBe('first~2');
    functions.kill('first~1');
    await standing;
  });

  it('get a thread at once where a function waits for the answer', async () => {
    start({ threads: 1 });
    // All threads that there may be, and one more that waits.
    for (let standing = 0; standing < 4; standing++) void call('first', 60_000);
    const answer = await functions.invoke('second', {}, { isNested: true });
    expect(answer).toMatchObject({ name: 'second' });
  });

  it('do not end with one that times out', async () => {
    start({ threads: 2 });
    const [timedOut, other] = await Promise.allSettled([call('hasty', 60_000), call('first', 200)]);
    expect(timedOut).toMatchObject({ status: 'rejected', reason: { errorType: 'Sandbox.Timedout' } });
    expect(other).toMatchObject({ status: 'fulfilled', value: { name: 'first' } });
  });

  it('have no thread after a while without work', async () => {
    start({ idleMs: 1 });
    const one = await call('first');
    await expect.poll(async () => (await call('first')).thread, { interval: 20 }).not.toBe(one.thread);
  });

  it('end at once when they are closed, and nobody learns of it', async () => {
    start({ threads: 1 });
    const ended: unknown[] = [];
    functions.onEnd((one) => ended.push(one));
    const answers = [call('first', 60_000), call('first', 60_000)].map((answer) =>
      answer.finally(() => ended.push('answered')),
    );
    await functions.close();
    await Promise.race([...answers, new Promise((resolve) => setImmediate(resolve))]);
    expect(ended).toEqual([]);
  });
});
