/** The parts that the contracts of send, reply and forward share. */
import type { Grant } from '../core/access/access.ts';
import { limits } from '../core/limits.ts';
import type { ProblemCode } from '../core/problems.ts';
import { sentResponses } from './presenters/email.ts';

/** What acceptance of an email needs, in either version. */
export const acceptanceAccess: readonly Grant[] = [
  'table:query',
  'table:put',
  'table:write-many',
  'table:update',
  'table:delete',
  'table:check',
  'content:get',
  'content:put',
];

const access: readonly Grant[] = [
  ...acceptanceAccess,
  // For `Prefer: wait`; other mail is submitted by the worker `send-mail`.
  'mail:send',
  'secrets:decrypt:link-secret',
];

export const idempotencyKeyLengths = { minLength: 1, maxLength: limits.idempotencyKeyCharacters };

/** What API Gateway takes: 10,240 bytes in all (Quotas for HTTP APIs, "Combined size of Request line and header values"). */
const headerCharactersMax = 10_240;

export const sending = {
  scope: 'sending',
  budget: 'send',
  access,
  responses: sentResponses,
  requestHeaders: {
    'Idempotency-Key': {
      ...idempotencyKeyLengths,
      description:
        'A second request with the same key and body returns the email of the first one and sends nothing. The same key ' +
        'with another body is refused.',
    },
    Prefer: {
      maxLength: headerCharactersMax,
      description:
        '`wait=<seconds>`, of which 20 are applied at most: submits the email within the request and returns the outcome: status `sent`, or the problem ' +
        '`send_failed`, `provider_error` or `rate_limited`. The email exists in each case.',
    },
  },
  memoryMb: 1024,
  // `Prefer: wait` takes up to 20 s; API Gateway's integration timeout is 30 s ("Quotas for HTTP APIs").
  timeoutSeconds: 29,
} as const;

/** Problems of acceptance in either version. */
export const acceptanceProblems: readonly ProblemCode[] = [
  'sender_unknown',
  'domain_unverified',
  'mailbox_inactive',
  'too_many_recipients',
  'no_recipients',
  'attachments_too_large',
  'not_found',
  'sending_limit',
  'limit_reached',
  'workspace_suspended',
];

export const idempotencyProblems: readonly ProblemCode[] = [
  'invalid_idempotency_key',
  'idempotency_key_reused',
];

export const sendingProblems: readonly ProblemCode[] = [
  ...acceptanceProblems,
  ...idempotencyProblems,
  'invalid_thread_id',
  'thread_not_found',
  'send_failed',
  'provider_error',
  'rate_limited',
];
