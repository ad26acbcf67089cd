import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { type BudgetRequest, OverBudget } from '../../../lib/core/access/request-budget.ts';
import { operation } from '../../../lib/http/contract.ts';
import { budgetRequestOf } from '../../../lib/http/middleware/admission.ts';
import { type Dependencies, serve } from '../../../lib/http/serve.ts';
import { captureLog } from '../../support/log-lines.ts';
import { caller, context, dependencies, exchangeOf, gatewayEvent } from '../gateway.ts';

const search = { path: '/api/v2/emails', budget: 'read, or query with a search term' } as const;

describe('budgetRequestOf', () => {
  it.each([
    [search, '', { units: 1, namesSpace: false }],
    [search, 'query=lunch', { units: 5, namesSpace: false }],
    [search, 'space=none', { units: 1, namesSpace: false }],
    [search, `space=spc_${'1'.repeat(32)}`, { units: 1, namesSpace: true }],
    [{ path: '/api/v2/emails', budget: 'send' }, '', { units: 2, namesSpace: false }],
    [{ path: '/api/v2/domains', budget: 'provision' }, '', { units: 10, namesSpace: false }],
    [{ path: '/api/v2/spaces/{space_id}', budget: 'read' }, '', { units: 1, namesSpace: true }],
  ] as const)('of %o with "%s" is %o', (contract, query, expected) => {
    const queryStringParameters = Object.fromEntries(new URLSearchParams(query));
    const exchange = exchangeOf();
    const event = { ...exchange.event, queryStringParameters };
    expect(budgetRequestOf(contract, { event })).toEqual(expected);
  });
});

const remove = operation({
  id: 'domains.remove',
  path: '/api/v2/domains',
  summary: 'For the tests',
  budget: 'provision',
  access: [],
  problems: [],
  params: z.strictObject({}),
  query: z.strictObject({}),
  method: 'DELETE',
  scope: 'full',
  body: null,
  responses: { 204: { description: 'Gone.', body: null } },
});

const figures = { limit: 500, remaining: 490, resetSeconds: 1 };

/** Calls an operation and records what happens in which order. */
async function call(token: string, changes: Partial<Dependencies> = {}, fails = false) {
  const steps: string[] = [];
  const handler = serve(
    remove,
    async () => {
      steps.push('handle');
      if (fails) throw new Error('broken');
      return { status: 204, body: null };
    },
    {
      ...dependencies,
      findCaller: async (given, sourceIp) => {
        steps.push('authenticate');
        return await dependencies.findCaller(given, sourceIp);
      },
      admit: async (_workspaceId, { units }: BudgetRequest) => {
        steps.push(`admit ${units}`);
        return {
          figures,
          release: async () => {
            steps.push('release');
          },
        };
      },
      ...changes,
    },
  );
  const { statusCode, headers = {} } = await handler(
    gatewayEvent({ headers: { authorization: `Bearer ${token}` } }),
    context,
  );
  return { statusCode, headers, steps };
}

describe('admission', () => {
  it('admits after the key and the scope, and releases after the operation', async () => {
    const { statusCode, headers, steps } = await call('full');
    expect(steps).toEqual(['authenticate', 'admit 10', 'handle', 'release']);
    expect(statusCode).toBe(204);
    expect(headers).toMatchObject({
      'ratelimit-limit': '500',
      'ratelimit-remaining': '490',
      'ratelimit-reset': '1',
    });
  });

  it('asks the budget beside the key when the key was seen before', async () => {
    const { steps } = await call('full', { recallCaller: () => caller });
    expect(steps).toEqual(['admit 10', 'authenticate', 'handle', 'release']);
  });

  it('releases when the operation fails, and shows the budget', async () => {
    captureLog();
    const result = await call('full', {}, true);
    expect(result.steps).toEqual(['authenticate', 'admit 10', 'handle', 'release']);
    expect(result.statusCode).toBe(500);
    expect(result.headers).toMatchObject({ 'ratelimit-remaining': '490' });
  });

  it('shows no budget and releases when the key that was seen before is gone', async () => {
    const { statusCode, headers, steps } = await call('gone', { recallCaller: () => caller });
    expect(statusCode).toBe(401);
    expect(steps).toEqual(['admit 10', 'authenticate', 'release']);
    expect(Object.keys(headers)).not.toContain('ratelimit-limit');
  });

  it('asks no budget and shows none when the scope is too narrow', async () => {
    const narrow = { ...caller, scope: 'read' } as const;
    const { statusCode, headers, steps } = await call('read', { recallCaller: () => narrow });
    expect(statusCode).toBe(403);
    expect(steps).toEqual(['authenticate']);
    expect(Object.keys(headers)).not.toContain('ratelimit-limit');
  });

  it('answers 429 with the budget when it is spent', async () => {
    const spent = new OverBudget('Spent.', 0.2, { limit: 500, remaining: 0, resetSeconds: 10 });
    const { statusCode, headers, steps } = await call('full', { admit: () => Promise.reject(spent) });
    expect(statusCode).toBe(429);
    expect(headers).toMatchObject({
      'retry-after': '1',
      'ratelimit-limit': '500',
      'ratelimit-remaining': '0',
      'ratelimit-reset': '10',
    });
    expect(steps).toEqual(['authenticate']);
  });

  it('answers 429 without any call when the budget is known to be spent', async () => {
    const spent = new OverBudget('Spent.', 3, { limit: 500, remaining: 0, resetSeconds: 10 });
    const refuseSpent = () => {
      throw spent;
    };
    const { statusCode, steps } = await call('full', { recallCaller: () => caller, refuseSpent });
    expect(statusCode).toBe(429);
    expect(steps).toEqual([]);
  });

  it('answers as before when the release fails, and logs it', async () => {
    const admit = async () => ({ figures, release: () => Promise.reject(new Error('throttled')) });
    const lines = captureLog();
    expect((await call('full', { admit })).statusCode).toBe(204);
    expect(lines).toMatchObject([{ event: 'api.budget_not_released', operation: 'domains.remove' }]);
  });
});
