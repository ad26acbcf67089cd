/** The parts that the contracts of send, reply, forward and the sending of drafts share in version 1. */
import { v1SentSchema } from './presenters/v1/outgoing.ts';
import { acceptanceAccess } from './send-operation.ts';

export const v1Sending = {
  scope: 'sending',
  budget: 'send',
  access: acceptanceAccess,
  responses: { 200: { description: 'The email was accepted, or stored as a draft.', body: v1SentSchema } },
  memoryMb: 1024,
} as const;
