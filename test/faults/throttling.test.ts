/** What DynamoDB throttles is answered with 429, never 500 (docs/concepts/request-budget.md#throttling-of-the-table). */
import { describe, expect, it, onTestFinished } from 'vitest';
import { api } from '../support/api.ts';
import { workspace } from '../support/workspace.ts';
import { clearFaults, inject } from './kit.ts';

const cases = [
  { what: 'the authentication', method: 'GET', path: '/spaces', action: 'GetItem', operation: 'spaces-list' },
  { what: 'a list', method: 'GET', path: '/emails', action: 'Query', operation: 'emails-list' },
  {
    what: 'a batch of reads',
    method: 'POST',
    path: '/emails',
    action: 'BatchGetItem',
    operation: 'emails-send',
  },
  {
    what: 'a change',
    method: 'POST',
    path: '/emails',
    action: 'TransactWriteItems',
    operation: 'emails-send',
  },
];

describe('a request', () => {
  it.each(cases)(
    'answers 429 with Retry-After while DynamoDB throttles $what, and succeeds afterwards',
    async ({ method, path, action, operation }) => {
      const own = await workspace();
      const body = {
        from: `desk@${own.providedDomain}`,
        to: 'a@people.example.test',
        subject: 'Hi',
        text: 'Hi',
      };
      const request = () => api(own).request(method, path, method === 'POST' ? { body } : {});
      onTestFinished(clearFaults);
      await inject({
        service: 'dynamodb',
        action,
        principal: `parley-api-${operation}`,
        kind: 'throttle',
        times: 1_000,
      });
      const refused = await request();
      expect([refused.status, refused.headers['retry-after'], refused.body.code]).toEqual([
        429,
        '1',
        'too_many_requests',
      ]);
      await clearFaults();
      expect((await request()).status).toBeLessThan(300);
    },
  );
});
