/** The parts that the contracts of send, reply, forward and the sending of drafts share in version 1. */
import type { ProblemCode } from '../core/problems.ts';
import { v1SentSchema } from './presenters/v1/outgoing.ts';
import {
  acceptanceAccess,
  acceptanceProblems,
  idempotencyKeyLengths,
  idempotencyProblems,
} from './send-operation.ts';

/** Of a request that accepts an email. */
export const v1Accepting = {
  budget: 'send',
  access: acceptanceAccess,
  memoryMb: 1024,
} as const;

/** Of send, reply and forward. */
export const v1Sending = {
  ...v1Accepting,
  // A key of this scope makes drafts only.
  scope: 'draft',
  responses: {
    200: {
      description: 'The email was accepted, or stored as a draft.',
      body: v1SentSchema,
      optionalHeaders: {
        'Idempotent-Replayed':
          '`true` where an earlier request with this Idempotency-Key has created the email; nothing was sent.',
      },
    },
  },
  requestHeaders: {
    'Idempotency-Key': {
      ...idempotencyKeyLengths,
      description:
        'A second request with the same key and body answers the same ids and sends nothing. The same key with another ' +
        'body, or used in version 2, is refused.',
    },
  },
} as const;

export const v1SendingProblems: readonly ProblemCode[] = [...acceptanceProblems, ...idempotencyProblems];
