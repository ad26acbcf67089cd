/** The ports of deliveries that wait, and of their announcement, in a deployment: table and queues. */
import { now } from '../../adapters/clock.ts';
import { sendAll } from '../../adapters/queues.ts';
import { allDone, valuesOf } from '../../core/work/all-done.ts';
import { createDelivery, findDelivery } from '../../storage/webhooks/deliveries.ts';
import { markBacklog } from '../../storage/webhooks/endpoint-states.ts';
import { addWaiting } from '../../storage/webhooks/waiting-deliveries.ts';
import type { AnnouncePorts, WaitPorts } from './dispatch-ports.ts';

export const waitPorts: WaitPorts = {
  store: ({ workspaceId, endpointId }, drafts) =>
    allDone(
      drafts.map(async (draft) => {
        if (await createDelivery(workspaceId, draft)) return draft;
        return (await findDelivery(workspaceId, endpointId, draft.id)) ?? draft;
      }),
    ),
  addWaiting: ({ workspaceId }, deliveries) => addWaiting(workspaceId, deliveries),
  markBacklog,
};

export const announcePorts: AnnouncePorts = {
  ...waitPorts,
  now,
  async send(messages) {
    valuesOf(await sendAll(messages.map((message) => ({ message, deduplicationId: '' }))));
  },
};
