/** The parts that send, reply and forward share: of their contracts, and their response. */
import * as z from 'zod';
import type { Grant } from '../core/access/access.ts';
import { limits } from '../core/limits.ts';
import type { HeldBy } from '../core/pacing/project.ts';
import type { ProblemCode } from '../core/problems.ts';
import type { AcceptedEmail } from '../services/sending/accept-email.ts';
import { emailFields, presentEmail } from './presenters/email.ts';
import { idSchema, timestampOf, timestampSchema } from './schemas.ts';

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

export const heldBySchema = z
  .strictObject({
    kind: z.enum(['ready', 'hours', 'limit']).meta({
      examples: ['limit'],
      description:
        '`ready`: no rule holds it; `hours`: outside of the hours of a rule; `limit`: a limit is used up.',
    }),
    rule_id: idSchema('pace')
      .nullable()
      .describe('The rule that holds it the longest; null when it is ready.'),
  })
  .meta({ id: 'HeldBy', description: 'What an email waits for.' });

export const estimatedSendAt = timestampSchema.describe(
  'When the email leaves if no rule changes and no other email is released before it.',
);

const sentPacingSchema = z
  .strictObject({
    held_by: heldBySchema,
    estimated_send_at: estimatedSendAt,
  })
  .meta({ id: 'SentPacing', description: 'The decision of the pacing rules about an accepted email.' });

/** The response of send, reply and forward. */
export const sentEmailSchema = z
  .strictObject({
    ...emailFields,
    suppressed: z.array(z.string()).meta({
      examples: [[]],
      description: 'Recipients that get nothing because they are suppressed; empty for a replay.',
    }),
    pacing: sentPacingSchema.nullable().meta({
      examples: [null],
      description:
        'What the pacing rules make of the email; null when none matched, for a scheduled email, with `pacing.skip`, and ' +
        'for a replay.',
    }),
  })
  .meta({ id: 'SentEmail', description: 'An accepted email, with what suppressions and pacing do with it.' });

/** The responses of send, reply and forward, for their contracts. */
export const sentResponses = {
  201: {
    description: 'The email was accepted.',
    body: sentEmailSchema,
    optionalHeaders: {
      'Preference-Applied': '`wait=<seconds>` where the request waited.',
    },
  },
  200: {
    description: 'The email of an earlier request with this Idempotency-Key; nothing was sent.',
    body: sentEmailSchema,
    headers: { 'Idempotent-Replayed': '`true`' },
  },
} as const;

export const sending = {
  // A key of this scope makes drafts only.
  scope: 'draft',
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

/** The header that says what was applied (RFC 7240, section 3). */
export function preferenceApplied(waitSeconds: number | null): Record<string, string> {
  return waitSeconds === null ? {} : { 'Preference-Applied': `wait=${waitSeconds}` };
}

export const replayedHeaders = { 'Idempotent-Replayed': 'true' };

/** The response of send, reply and forward: the email, new or replayed. */
export function sentResponse({
  waitSeconds = null,
  ...accepted
}: AcceptedEmail & { readonly waitSeconds?: number | null }) {
  const body = presentAccepted(accepted);
  if (accepted.replayed) return { status: 200 as const, body, headers: replayedHeaders };
  return { status: 201 as const, body, headers: preferenceApplied(waitSeconds) };
}

export function presentAccepted({
  email,
  suppressed,
  pacing,
}: AcceptedEmail): z.input<typeof sentEmailSchema> {
  return {
    ...presentEmail(email),
    suppressed: [...suppressed],
    pacing: pacing && {
      held_by: presentHeldBy(pacing.heldBy),
      estimated_send_at: timestampOf(pacing.sendAt),
    },
  };
}

export function presentHeldBy({ kind, ruleId }: HeldBy): z.input<typeof heldBySchema> {
  return { kind, rule_id: ruleId };
}
