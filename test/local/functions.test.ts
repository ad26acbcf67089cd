import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { InvocationFailed } from '../../lib/local/function-thread.ts';
import { createFunctions, type Functions } from '../../lib/local/functions.ts';
import { createLogRing } from '../../lib/local/logs.ts';

const code = `
import { setTimeout as wait } from 'node:timers/promises';
let calls = 0;
export const echo = async (event, context) => ({
  event, calls: ++calls, key: process.env.AWS_ACCESS_KEY_ID, own: process.env.OWN, id: typeof context.awsRequestId,
});
export const hold = async ({ ms }) => { await wait(ms); return process.env.AWS_ACCESS_KEY_ID; };
export const hasty = hold;
export const fail = async () => { console.log('about to fail'); throw new TypeError('no luck'); };
export const crash = async () => { setImmediate(() => { throw new Error('beside the handler'); }); await wait(10_000); };
export const exit = async () => { process.exit(7); };
export const large = async ({ mb }) => 'x'.repeat(mb * 1024 * 1024);
export const nothing = async () => {};
export const trace = async () => process.env._X_AMZN_TRACE_ID;
export const loop = trace;
export const hog = async () => { const kept = []; for (;;) kept.push(Array.from({ length: 100_000 }, (_, at) => ({ at }))); };
export const victim = hold;
`;

const names = [
  ...['echo', 'hold', 'hasty', 'fail', 'crash', 'exit', 'large', 'nothing', 'victim', 'hog'],
  ...['trace', 'loop'],
];
const logs = createLogRing({ now: Date.now });
const codeFolder = mkdtempSync(join(tmpdir(), 'functions-'));
let functions: Functions;

beforeAll(() => {
  writeFileSync(join(codeFolder, 'code.mjs'), code);
  functions = createFunctions({
    specs: names.map((name) => ({
      name,
      arn: `arn:aws:lambda:us-east-1:111111111111:function:${name}`,
      codeFolder,
      handler: `code.${name}`,
      timeoutSeconds: name === 'hasty' ? 1 : 20,
      memoryMb: name === 'hog' ? 32 : 128,
      environment: { OWN: name },
      ...(name === 'loop' && { recursiveLoop: 'Allow' as const }),
    })),
    skew: new SharedArrayBuffer(8),
    logs,
  });
});

afterAll(async () => {
  await functions.close();
  rmSync(codeFolder, { recursive: true });
});

async function failureOf(
  invocation: Promise<unknown>,
): Promise<Pick<InvocationFailed, 'errorType' | 'message'>> {
  const error: unknown = await invocation.catch((thrown: unknown) => thrown);
  if (!(error instanceof InvocationFailed)) throw new Error(`did not fail: ${JSON.stringify(error)}`);
  return { errorType: error.errorType, message: error.message };
}

describe('invoke', () => {
  it("runs in a thread with the function's environment and reuses it", async () => {
    const first = await functions.invoke('echo', { a: 1 });
    const second = await functions.invoke('arn:aws:lambda:us-east-1:111111111111:function:echo', null);
    expect([first, second]).toEqual([
      { event: { a: 1 }, calls: 1, key: 'echo~1', own: 'echo', id: 'string' },
      { event: null, calls: 2, key: 'echo~1', own: 'echo', id: 'string' },
    ]);
  });

  it('returns null when the handler returns nothing', async () => {
    expect(await functions.invoke('nothing', {})).toBeNull();
  });

  it('uses one thread per concurrent invocation', async () => {
    const keys = await Promise.all([1, 2, 3].map(() => functions.invoke('hold', { ms: 30 })));
    expect(new Set(keys)).toEqual(new Set(['hold~1', 'hold~2', 'hold~3']));
  });

  it('waits for a thread beyond the limit', async () => {
    const keys = await Promise.all(Array.from({ length: 14 }, () => functions.invoke('hold', { ms: 5 })));
    expect(keys).toHaveLength(14);
    expect(new Set(keys).size).toBeLessThanOrEqual(10);
  });

  it('tells when a thread takes the invocation, one at a time', async () => {
    let [started, running, most] = [0, 0, 0];
    const onStart = () => {
      started += 1;
      running += 1;
      most = Math.max(most, running);
    };
    await Promise.all(
      Array.from({ length: 11 }, async () => {
        await functions.invoke('hold', { ms: 20 }, { onStart });
        running -= 1;
      }),
    );
    expect(started).toBe(11);
    expect(most).toBeLessThanOrEqual(10);
  });

  it("fails with the handler's error and logs its output", async () => {
    expect(await failureOf(functions.invoke('fail', {}))).toEqual({
      errorType: 'TypeError',
      message: 'no luck',
    });
    expect(
      logs
        .lines()
        .filter(({ source }) => source === 'fail')
        .map(({ text }) => text),
    ).toContain('TypeError: no luck');
  });

  it('fails on timeout and starts a new thread afterwards', async () => {
    const failure = await failureOf(functions.invoke('hasty', { ms: 60_000 }));
    expect(failure).toEqual({
      errorType: 'Sandbox.Timedout',
      message: expect.stringMatching(/^RequestId: [0-9a-f-]{36} Error: Task timed out after 1\.00 seconds$/),
    });
    expect(await functions.invoke('hasty', { ms: 0 })).toMatch(/^hasty~/);
  });

  it.each([
    ['crash', 1],
    ['exit', 7],
  ])('fails when its thread ends: %s', async (name, status) => {
    expect(await failureOf(functions.invoke(name, {}))).toEqual({
      errorType: 'Runtime.ExitError',
      message: `Runtime exited with error: exit status ${status}`,
    });
  });

  it('fails when its thread is killed, without affecting others', async () => {
    const killed = functions.invoke('victim', { ms: 60_000 });
    const other = functions.invoke('victim', { ms: 20 });
    functions.kill('victim~1');
    expect((await failureOf(killed)).errorType).toBe('Runtime.ExitError');
    expect(await other).toBe('victim~2');
  });

  it('fails above 6 MB of event or result', async () => {
    expect((await failureOf(functions.invoke('echo', 'x'.repeat(6 * 1024 * 1024)))).errorType).toBe(
      'RequestEntityTooLargeException',
    );
    expect((await failureOf(functions.invoke('large', { mb: 6 }))).errorType).toBe(
      'Function.ResponseSizeTooLarge',
    );
  });

  it('fails above the concurrency of the account', async () => {
    const limited = createFunctions({
      specs: [
        {
          name: 'hold',
          arn: 'arn:aws:lambda:us-east-1:111111111111:function:hold',
          codeFolder,
          handler: 'code.hold',
          timeoutSeconds: 30,
          memoryMb: 128,
          environment: {},
        },
      ],
      skew: new SharedArrayBuffer(8),
      logs,
      limits: { concurrentExecutions: 2 },
    });
    const running = [limited.invoke('hold', { ms: 30 }), limited.invoke('hold', { ms: 30 })];
    expect(await failureOf(limited.invoke('hold', { ms: 30 }))).toEqual({
      errorType: 'TooManyRequestsException',
      message: 'Rate Exceeded.',
    });
    await Promise.all(running);
    await expect(limited.invoke('hold', { ms: 0 })).resolves.toMatch(/^hold~/);
    await limited.close();
  });

  it('gives a function the trace header of its chain, and drops the 17th invocation of one, counted and logged', async () => {
    const headers: string[] = [];
    const invoke = async () => {
      headers.push(String(await functions.invoke('trace', {}, { traces: headers.slice(-1) })));
    };
    for (let count = 0; count < 16; count++) await invoke();
    expect(headers.at(-1)).toMatch(/;Lineage=[0-9a-f]{8}:15$/);
    expect(await failureOf(invoke())).toEqual({
      errorType: 'RecursiveInvocationException',
      message: 'Lambda dropped an invocation after 16 in one chain of requests.',
    });
    expect(functions.recursiveInvocationsDropped()).toEqual({ trace: 1 });
    expect(logs.lines().at(-1)).toMatchObject({
      source: 'trace',
      text: expect.stringMatching(/^RecursiveInvocationException: /),
    });
    await expect(functions.invoke('trace', {})).resolves.toMatch(/:0$/);
  });

  it('drops nothing of a function whose recursive loops are allowed', async () => {
    let header: unknown = '';
    for (let count = 0; count < 40; count++)
      header = await functions.invoke('loop', {}, { traces: [String(header)] });
    expect(functions.recursiveInvocationsDropped()).not.toHaveProperty('loop');
  });

  it('fails when a function needs more than its memory', async () => {
    const failure = await failureOf(functions.invoke('hog', {}));
    expect(failure.errorType).toBe('Runtime.ExitError');
  });

  it('throws for an unknown function', async () => {
    await expect(functions.invoke('nobody', {})).rejects.toThrow('there is no function nobody');
  });
});
