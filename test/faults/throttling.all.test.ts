/** What DynamoDB throttles is answered with 429, never 500 (docs/concepts/request-budget.md#throttling-of-the-table). */
import { afterAll, describe, expect, it } from 'vitest';
import { api } from '../support/api.ts';
import { type TestWorkspace, workspace } from '../support/workspace.ts';
import { clearFaults, inject, removeFault } from './kit.ts';

type Given = (own: TestWorkspace) => Record<string, unknown>;

const email: Given = ({ providedDomain }) => ({
  from: `desk@${providedDomain}`,
  to: 'a@people.example.test',
  subject: 'Hi',
  text: 'Hi',
});
const upload: Given = () => ({ filename: 'u.txt', content_type: 'text/plain', size: 5 });
const space: Given = () => ({ name: 'Shop', external_id: 'shop' });

const cases = [
  { what: 'the authentication', path: '/spaces', action: 'GetItem', operation: 'spaces-list' },
  { what: 'a list', path: '/emails', action: 'Query', operation: 'emails-list' },
  {
    what: 'a batch of reads',
    path: '/emails',
    given: email,
    action: 'BatchGetItem',
    operation: 'emails-send',
  },
  {
    what: 'a change',
    path: '/attachments',
    given: upload,
    action: 'PutItem',
    operation: 'attachments-create',
  },
  {
    what: 'a transaction',
    path: '/spaces',
    given: space,
    action: 'TransactWriteItems',
    operation: 'spaces-create',
  },
];

afterAll(clearFaults);

// The SDK pauses for seconds between its attempts.
describe('a request', { concurrent: true }, () => {
  it.each(cases)(
    'answers 429 with Retry-After while DynamoDB throttles $what, and succeeds afterwards',
    async ({ path, given, action, operation }) => {
      const own = await workspace();
      const request = () => (given ? api(own).post(path, given(own)) : api(own).get(path));
      const fault = await inject({
        service: 'dynamodb',
        action,
        principal: `parley-api-${operation}`,
        kind: 'throttle',
        times: 1_000,
        // Of two cases of one operation, each has its own fault. Authentication reads no item of the workspace.
        ...(given && { match: own.id }),
      });
      const refused = await request();
      expect([refused.status, refused.headers['retry-after'], refused.body.code]).toEqual([
        429,
        '1',
        'too_many_requests',
      ]);
      await removeFault(fault);
      expect((await request()).status).toBeLessThan(300);
    },
  );
});
