/** What the contracts of send, reply and forward have in common. */
import type { Grant } from '../core/access.ts';
import type { ProblemCode } from '../core/problems.ts';
import { sentResponses } from './presenters/email.ts';

const access: readonly Grant[] = [
  'table:query',
  'table:put',
  'table:update',
  'table:delete',
  'table:check',
  'content:get',
  'content:put',
  // For `Prefer: wait` alone: everybody else's mail is handed off by the worker.
  'mail:send',
];

export const sending = {
  scope: 'sending',
  budget: 'send',
  access,
  answers: sentResponses,
  requestHeaders: {
    'Idempotency-Key':
      '1 to 255 characters. The same key with the same body answers the email of the first request and sends nothing; ' +
      'with another body it is refused.',
    Prefer:
      '`wait=<1..20>`: hands the email over within the request and answers the outcome: `sent`, or `send_failed`, ' +
      '`provider_error`, `rate_limited` (the email exists all the same).',
  },
  memoryMb: 1024,
  /** `Prefer: wait` may take twenty seconds; the gateway ends at thirty. */
  timeoutSeconds: 29,
} as const;

export const sendingProblems: readonly ProblemCode[] = [
  'invalid_idempotency_key',
  'idempotency_key_reused',
  'sender_unknown',
  'domain_unverified',
  'too_many_recipients',
  'no_recipients',
  'attachments_too_large',
  'not_found',
  'invalid_thread_id',
  'thread_not_found',
  'send_failed',
  'provider_error',
  'rate_limited',
];
