/** Handlers that start beside authentication (docs/decisions/0062-handlers-that-start-early.md). */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { newId } from '../../../lib/adapters/ids.ts';
import type { Caller } from '../../../lib/core/api-key.ts';
import { Problem } from '../../../lib/core/problems.ts';
import { OverBudget } from '../../../lib/core/request-budget.ts';
import { operation } from '../../../lib/http/contract.ts';
import type { Dependencies } from '../../../lib/http/serve.ts';
import { type EarlyRequest, serveEarly } from '../../../lib/http/serve-early.ts';
import { captureLog } from '../../support/log-lines.ts';
import { caller, context, dependencies, gatewayEvent } from '../gateway.ts';

const create = operation({
  id: 'things.create',
  method: 'POST',
  path: '/api/v2/things',
  summary: 'For the tests',
  scope: 'sending',
  budget: 'send',
  access: [],
  problems: [],
  params: z.strictObject({}),
  query: z.strictObject({}),
  body: z.strictObject({ name: z.string() }),
  responses: { 201: { description: 'Made.', body: z.strictObject({ by: z.string() }) } },
});

const recalled = { recallCaller: () => caller };
const overBudget = new OverBudget('Spent.', 3, { limit: 500, remaining: 0, resetSeconds: 10 });

type Handle = (request: EarlyRequest, note: (step: string) => void) => Promise<unknown>;

/** Writes something ahead of the confirmation, and takes it back. */
const reserve: Handle = async ({ expectedCaller, confirmed }, note) => {
  note(`reserve for ${expectedCaller.scope}`);
  try {
    await confirmed();
  } catch (error) {
    // The steps of the pipeline after a refusal come in the same turns of the event loop.
    for (let turns = 0; turns < 10; turns++) await nextTurn();
    note('give back');
    throw error;
  }
  note('commit');
};

interface Attempt {
  readonly changes?: Partial<Dependencies>;
  readonly handle?: Handle;
  readonly token?: string;
  readonly type?: string;
  readonly body?: string;
}

/** Calls the operation and records what happens in which order; authentication ends after what starts beside it. */
async function call({ changes = {}, handle = reserve, token = 'full', type, body }: Attempt = {}) {
  const steps: string[] = [];
  const note = (step: string) => void steps.push(step);
  const handler = serveEarly(
    create,
    async (request) => {
      await handle(request, note);
      return { status: 201, body: { by: request.expectedCaller.workspaceId } };
    },
    {
      ...dependencies,
      findCaller: async (given, sourceIp) => {
        note('authenticate');
        for (let turns = 0; turns < 10; turns++) await nextTurn();
        note('authenticated');
        return await dependencies.findCaller(given, sourceIp);
      },
      ...changes,
    },
  );
  const answer = await handler(
    gatewayEvent({
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': type ?? 'application/json' },
      body: body ?? '{"name":"a"}',
    }),
    context,
  );
  note('answer');
  return { status: answer.statusCode, body: JSON.parse(answer.body ?? ''), steps };
}

describe('a handler that starts early', () => {
  it('runs beside authentication when the key was seen before', async () => {
    const { status, body, steps } = await call({ changes: recalled });
    expect([status, body]).toEqual([201, { by: caller.workspaceId }]);
    expect(steps).toEqual(['authenticate', 'reserve for full', 'authenticated', 'commit', 'answer']);
  });

  const afterwards = ['authenticate', 'authenticated', 'reserve for full', 'commit', 'answer'];

  it('starts after authentication when the key was not seen before', async () => {
    const { status, steps } = await call();
    expect([status, steps]).toEqual([201, afterwards]);
  });

  it('starts after authentication when the scope that is remembered is too narrow', async () => {
    const narrow: Caller = { ...caller, scope: 'read' };
    const { status, steps } = await call({ changes: { recallCaller: () => narrow } });
    expect([status, steps]).toEqual([201, afterwards]);
  });

  it('starts after authentication when the budget may have no room', async () => {
    const { status, steps } = await call({ changes: { ...recalled, expectsRoom: () => false } });
    expect([status, steps]).toEqual([201, afterwards]);
  });

  it('does not start when the budget is known to be spent', async () => {
    const refuseSpent = () => {
      throw overBudget;
    };
    const { status, steps } = await call({ changes: { ...recalled, refuseSpent } });
    expect([status, steps]).toEqual([429, ['answer']]);
  });

  const refusals = {
    401: { token: 'gone', changes: recalled },
    403: { token: 'read', changes: recalled },
    429: { changes: { ...recalled, admit: () => Promise.reject(overBudget) } },
  } as const;

  it.each([401, 403, 429] as const)(
    'takes back what it did before the answer when it is %s',
    async (code) => {
      const { status, steps } = await call(refusals[code]);
      expect(status).toBe(code);
      const expected = ['authenticate', 'reserve for full', 'authenticated', 'give back', 'answer'];
      expect(steps).toEqual(expected);
    },
  );

  it('takes back what it did when the look-up of the key fails', async () => {
    const lines = captureLog();
    const findCaller = () => nextTurn().then(() => Promise.reject(new Error('no table')));
    const { status, steps } = await call({ changes: { ...recalled, findCaller } });
    expect([status, steps]).toEqual([500, ['reserve for full', 'give back', 'answer']]);
    expect(lines).toMatchObject([{ event: 'api.internal_error', error: { cause: { message: 'no table' } } }]);
  });

  const mistakes: Readonly<Record<number, Attempt>> = {
    415: { type: 'text/plain' },
    400: { body: '{' },
    422: { body: '{"nam":1}' },
    404: { handle: () => Promise.reject(new Problem('not_found', 'No.')) },
  };

  it.each([415, 400, 422, 404])(
    'is answered with 401, 403 or 429 rather than with %s when both are wrong',
    async (code) => {
      const mistake = mistakes[code] ?? {};
      expect((await call({ ...mistake, changes: recalled })).status).toBe(code);
      for (const [status, refusal] of Object.entries(refusals)) {
        expect((await call({ ...mistake, ...refusal })).status).toBe(Number(status));
      }
    },
  );

  it('starts anew for the caller that was confirmed when it is another one than before', async () => {
    const other: Caller = { ...caller, workspaceId: newId('wks'), scope: 'sending' };
    const asked: string[] = [];
    const admit: Dependencies['admit'] = async (workspaceId, request) => {
      asked.push(workspaceId);
      const { figures } = await dependencies.admit(workspaceId, request);
      return { figures, release: async () => void asked.push(`released ${workspaceId}`) };
    };
    const { status, body, steps } = await call({ changes: { recallCaller: () => other, admit } });
    expect([status, body]).toEqual([201, { by: caller.workspaceId }]);
    expect(steps).toEqual([
      'authenticate',
      'reserve for sending',
      'authenticated',
      'give back',
      'reserve for full',
      'commit',
      'answer',
    ]);
    const { workspaceId } = caller;
    expect(asked).toEqual([
      other.workspaceId,
      `released ${other.workspaceId}`,
      workspaceId,
      `released ${workspaceId}`,
    ]);
  });

  it('is logged when it cannot take back what it did', async () => {
    const lines = captureLog();
    const handle: Handle = async ({ confirmed }) => {
      await confirmed().catch(() => Promise.reject(new Error('throttled')));
    };
    const { status } = await call({ ...refusals[401], handle });
    expect(status).toBe(401);
    expect(lines).toMatchObject([
      { event: 'api.early_start_failed', operation: 'things.create', error: { message: 'throttled' } },
    ]);
  });

  it.each([{}, recalled])('is an error when it does not wait for its caller (%o)', async (changes) => {
    const lines = captureLog();
    const { status } = await call({ changes, handle: async () => {} });
    expect(status).toBe(500);
    expect(lines).toMatchObject([{ event: 'api.internal_error' }]);
  });
});
