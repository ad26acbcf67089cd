/** Contract of `POST /live`. */
import * as z from 'zod';
import { operation } from '../../lib/http/contract.ts';
import { text, timestampSchema } from '../../lib/http/schemas.ts';

export const openLiveOperation = operation({
  id: 'live.open',
  method: 'POST',
  path: '/api/v2/live',
  summary: 'Open a live connection',
  description:
    'Answers the URL of a WebSocket on which events arrive as they enter the log. It is good for one connection within ' +
    'a minute; `docs/concepts/live.md` has the messages. A workspace has at most 100 connections.',
  scope: 'read',
  budget: 'read',
  access: ['table:query', 'table:put'],
  params: z.strictObject({}),
  query: z.strictObject({}),
  body: null,
  responses: {
    201: {
      description: 'Where to connect.',
      body: z
        .strictObject({
          url: text(
            'wss://a1b2c3d4e5.execute-api.eu-central-1.amazonaws.com/live?ticket=TICKET',
            'The URL of the WebSocket, with a ticket that is used once. Whoever has it can connect.',
          ),
          expires_at: timestampSchema.describe('The ticket is refused from then on.'),
        })
        .meta({ id: 'LiveUrl', description: 'Where a client connects to receive events live.' }),
    },
  },
  // `forbidden`: a session, from elsewhere than the console.
  problems: ['forbidden', 'limit_reached'],
});
