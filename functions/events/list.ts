/** Lists events. */
import { presentStoredEvent } from '../../lib/http/presenters/events.ts';
import { serve } from '../../lib/http/serve.ts';
import { listEvents } from '../../lib/services/events/events.ts';
import { listEventsOperation } from './list.contract.ts';

export const handler = serve(listEventsOperation, async ({ caller, query, page, nextCursor }) => {
  const { type: types, space, after, before, order } = query;
  const filter = { types, space, after, before, order };
  const { items, next } = await listEvents(caller.workspaceId, filter, page());
  return { status: 200, body: { data: items.map(presentStoredEvent), next_cursor: await nextCursor(next) } };
});
