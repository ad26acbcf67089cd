/** Contract of `POST /mailboxes/{mailbox_id}/sync`. */
import * as z from 'zod';
import { operation } from '../../lib/http/contract.ts';
import { idSchema } from '../../lib/http/schemas.ts';

export const syncMailboxOperation = operation({
  id: 'mailboxes.sync',
  method: 'POST',
  path: '/api/v2/mailboxes/{mailbox_id}/sync',
  summary: 'Synchronize a mailbox now',
  description:
    'Queues a synchronization with the provider, which then runs in the background. Mail comes in without it, too: ' +
    'the provider announces it, and Parley asks every few minutes. `last_sync_at` of the mailbox tells when a ' +
    'synchronization has read everything.',
  scope: 'full',
  budget: 'provision',
  access: ['table:put'],
  params: z.strictObject({ mailbox_id: idSchema('mbx') }),
  query: z.strictObject({}),
  body: null,
  responses: {
    202: {
      description: 'The synchronization is queued.',
      body: z
        .strictObject({
          status: z.literal('queued').describe('Always `queued`: the mailbox is read in the background.'),
        })
        .meta({
          id: 'QueuedSync',
          description: 'A synchronization that will run.',
          examples: [{ status: 'queued' }],
        }),
    },
  },
  problems: ['mailbox_inactive'],
});
