/** Contract of `GET /events/{event_id}`. */
import * as z from 'zod';
import { operation } from '../../lib/http/contract.ts';
import { eventSchema } from '../../lib/http/presenters/events.ts';
import { idSchema } from '../../lib/http/schemas.ts';

export const retrieveEventOperation = operation({
  id: 'events.retrieve',
  method: 'GET',
  path: '/api/v2/events/{event_id}',
  summary: 'Retrieve an event',
  description: 'Returns an event, for 30 days by default.',
  scope: 'read',
  budget: 'read',
  access: [],
  params: z.strictObject({ event_id: idSchema('evt') }),
  query: z.strictObject({}),
  body: null,
  responses: { 200: { description: 'The event.', body: eventSchema } },
  problems: [],
});
