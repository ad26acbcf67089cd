/** What the operator is told of errors of AWS and of the deployment. */
import { expect, it } from 'vitest';
import * as z from 'zod';
import { explain } from '../../bin/operator/explain.ts';
import { NoTarget } from '../../lib/adapters/operator-target.ts';
import { Problem } from '../../lib/core/problems.ts';
import { TableBusy } from '../../lib/core/work/table-busy.ts';

const $metadata = { httpStatusCode: 400, requestId: 'r-1' };
const named = (name: string, message: string, extra: object = {}) =>
  Object.assign(new Error(message), { name, ...extra });

it.each([
  [named('CredentialsProviderError', 'x'), /^No AWS credentials were found\.$/],
  [named('ExpiredTokenException', 'x', { $metadata }), /^The AWS credentials have expired\.$/],
  [named('UnrecognizedClientException', 'x', { $metadata }), /^AWS does not know the credentials\.$/],
  [named('InvalidSignatureException', 'x', { $metadata }), /^AWS refuses the signature/],
  [named('AccessDeniedException', 'not you', { $metadata }), /^AWS does not allow the call: not you\.$/],
  [named('ThrottlingException', 'x', { $metadata }), /^AWS throttles the calls\.$/],
  [named('TooManyRequestsException', 'x', { $metadata }), /^AWS throttles the calls\.$/],
  [new TableBusy(named('ThrottlingException', 'x', { $metadata })), /^The table is busy/],
  [named('Error', 'x', { code: 'ENOTFOUND', hostname: 'lambda.x' }), /^The name lambda\.x has no address\.$/],
  [new AggregateError([named('Error', 'x', { code: 'ECONNREFUSED' })], 'x'), /^Nothing answers there\.$/],
  [named('TimeoutError', 'x'), /^Nothing answers there\.$/],
  [
    named('ResourceNotFoundException', 'no table', { $metadata }),
    /^A part of the deployment is missing: no table\.$/,
  ],
  [named('ValidationException', 'too long', { $metadata }), /^AWS refuses the call: too long\.$/],
  [
    new NoTarget('There is none.', 'Make one.', { cause: named('x', 'x', { $metadata }) }),
    /^There is none\.$/,
  ],
  [new Problem('limit_reached', 'There are 100 keys.'), /^There are 100 keys\.$/],
])('%s is one sentence', (error, message) => {
  const explanation = explain(error);
  expect(explanation?.message).toMatch(message);
  if (JSON.stringify([error, error.cause]).includes('r-1')) expect(explanation?.requestId).toBe('r-1');
});

it('the environment of another version is told by its variables, and no other error of a schema', () => {
  const parsed = z.object({ TABLE_NAME: z.string() }).safeParse({});
  expect(explain(parsed.error)?.issues).toEqual([{ path: 'TABLE_NAME', message: expect.any(String) }]);
  expect(explain(z.object({ name: z.string() }).safeParse({}).error)).toBeNull();
});

it('an error of the program itself is not explained', () => {
  expect(explain(new TypeError('x is undefined'))).toBeNull();
  expect(explain('x')).toBeNull();
});
