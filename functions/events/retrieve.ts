/** Retrieves an event. */
import { presentStoredEvent } from '../../lib/http/presenters/events.ts';
import { serve } from '../../lib/http/serve.ts';
import { getEvent } from '../../lib/services/events/events.ts';
import { retrieveEventOperation } from './retrieve.contract.ts';

export const handler = serve(retrieveEventOperation, async ({ caller, params }) => {
  const event = await getEvent(caller.workspaceId, params.event_id);
  return { status: 200, body: presentStoredEvent(event) };
});
