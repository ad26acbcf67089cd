/** The ports of announcements in a deployment: table and queues. */
import { now } from '../../adapters/clock.ts';
import { sendAll } from '../../adapters/queues.ts';
import { valuesOf } from '../../core/all-done.ts';
import { Recent } from '../../core/recent.ts';
import { createDelivery, findDelivery } from '../../storage/deliveries.ts';
import { addDueEntries } from '../../storage/due-deliveries.ts';
import { askEndpointAgain, findDispatchState, noteCall } from '../../storage/endpoint-states.ts';
import type { AnnouncePorts } from './dispatch-ports.ts';

export const announcePorts: AnnouncePorts = {
  now,
  handOvers: new Recent(),
  findState: ({ workspaceId, endpointId }) => findDispatchState(workspaceId, endpointId),
  askAgain: ({ workspaceId, endpointId }, token) => askEndpointAgain(workspaceId, endpointId, token),
  async store({ workspaceId, endpointId, delivery }) {
    if (await createDelivery(workspaceId, delivery)) return delivery;
    return (await findDelivery(workspaceId, endpointId, delivery.id)) ?? delivery;
  },
  addDue: (...all) => addDueEntries(all),
  noteCall: ({ workspaceId, endpointId }, sessions, untilMs) =>
    noteCall(workspaceId, endpointId, sessions, untilMs),
  async send(...messages) {
    valuesOf(await sendAll(messages.map((message) => ({ message, deduplicationId: '' }))));
  },
};
