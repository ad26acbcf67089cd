/** The parts that the contracts of send, reply, forward and the sending of drafts share in version 1. */
import type { Grant } from '../core/access.ts';
import type { ProblemCode } from '../core/problems.ts';
import { v1SentSchema } from './presenters/v1/outgoing.ts';

const access: readonly Grant[] = [
  'table:query',
  'table:put',
  'table:update',
  'table:delete',
  'table:check',
  'content:get',
  'content:put',
];

export const v1Sending = {
  scope: 'sending',
  budget: 'send',
  access,
  responses: { 200: { description: 'The email was accepted, or stored as a draft.', body: v1SentSchema } },
  memoryMb: 1024,
} as const;

export const v1SendingProblems: readonly ProblemCode[] = [
  'sender_unknown',
  'domain_unverified',
  'too_many_recipients',
  'no_recipients',
  'attachments_too_large',
  'not_found',
  'sending_limit',
  'workspace_suspended',
];
