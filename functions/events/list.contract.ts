/** Contract of `GET /events`. */
import * as z from 'zod';
import { eventTypes } from '../../lib/core/webhooks/event-types.ts';
import { operation } from '../../lib/http/contract.ts';
import { eventPosition } from '../../lib/http/presenters/event-position.ts';
import { eventSchema } from '../../lib/http/presenters/events.ts';
import { pageOf, pageQuery, repeatedQuery, spaceQuery } from '../../lib/http/schemas.ts';

export const listEventsOperation = operation({
  id: 'events.list',
  method: 'GET',
  path: '/api/v2/events',
  summary: 'List events',
  description:
    'Lists every event in the envelope that webhooks have, whether or not an endpoint received it, for 30 days by ' +
    'default. The order is that of recording, as in the ids; `created_at` is when the event happened, which can be ' +
    'earlier. Events appear within seconds of their recording, those of received email within about ten: to catch ' +
    'up, start a minute before the last event that you know and skip the ids that you have. `type` and `space` ' +
    'are filters: pages can have fewer events than `limit`. Test events are not listed.',
  scope: 'read',
  budget: 'query',
  access: ['table:query'],
  params: z.strictObject({}),
  query: z.strictObject({
    ...pageQuery,
    ...spaceQuery,
    type: repeatedQuery(z.enum(eventTypes), eventTypes.length)
      .optional()
      .describe('Only events of this type; may be given several times for events of any of the types.'),
    after: eventPosition('after').optional(),
    before: eventPosition('before').optional(),
    order: z.enum(['asc', 'desc']).default('desc').describe('`asc`: oldest first; `desc`: newest first.'),
  }),
  body: null,
  responses: { 200: { description: 'A page of events.', body: pageOf(eventSchema) } },
  problems: [],
});
