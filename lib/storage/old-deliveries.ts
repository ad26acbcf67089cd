/** Webhook deliveries of 0.1.0: their own bodies, and the index of their retries. For `npm run admin -- table upgrade`. */
import { type EndpointId, parseId, type SpaceId, type WorkspaceId } from '../core/ids.ts';
import type { Paging } from '../core/page.ts';
import type { Delivery } from '../core/webhooks/delivery.ts';
import { eventExpiry } from '../core/webhooks/event.ts';
import { secondsAsMs } from './codec.ts';
import { deliveryCodec, findDelivery } from './deliveries.ts';
import { addDueEntries } from './due-deliveries.ts';
import { storeEvent } from './events.ts';
import { expressionsOf } from './expressions.ts';
import { deliveries, deliveryKey, retryShard, retryShards } from './keys.ts';
import { listPage } from './paging.ts';
import { queryAll, remove, updateIf } from './table.ts';

/** Converts deliveries of 0.1.0, whose bodies are their own: the event gets the body. Counts those of the page. */
export async function convertDeliveries(
  workspaceId: WorkspaceId,
  endpointId: EndpointId,
  retentionDays: number,
  paging: Paging,
): Promise<{ readonly listed: number; readonly next: string | null }> {
  const page = await listPage({ pk: deliveries(workspaceId, endpointId), order: 'oldest first', ...paging });
  const old = page.items
    .map(deliveryCodec.decode)
    .filter(({ body, expiresAt }) => body !== null && expiresAt === null);
  for (const delivery of old) await convertDelivery(workspaceId, delivery, retentionDays);
  return { listed: old.length, next: page.next };
}

async function convertDelivery(
  workspaceId: WorkspaceId,
  { id, endpointId, eventId, eventType, body }: Delivery,
  retentionDays: number,
): Promise<void> {
  const envelope: { created_at: string; space_id: SpaceId | null } = JSON.parse(body ?? '');
  const expiresAt = eventExpiry(eventId, retentionDays);
  await storeEvent(workspaceId, {
    id: eventId,
    type: eventType,
    createdAt: Date.parse(envelope.created_at),
    spaceId: envelope.space_id,
    subject: null,
    body: body ?? '',
    expiresAt,
  });
  const change = { set: { expiresAt: secondsAsMs.write(expiresAt) }, remove: ['body'] };
  await updateIf(deliveryKey(workspaceId, endpointId, id), expressionsOf(change, { exists: true }));
}

/** Gives due entries to the deliveries in the retry index, and empties it. Returns the endpoints of these deliveries. */
export async function convertRetries(): Promise<{ workspaceId: WorkspaceId; endpointId: EndpointId }[]> {
  const found = new Map<EndpointId, WorkspaceId>();
  for (let shard = 0; shard < retryShards; shard++) {
    for (const { pk, sk } of await queryAll(retryShard(shard))) {
      const [, workspace = '', endpoint = '', id = ''] = sk.split('#');
      const workspaceId = parseId('wks', workspace);
      const endpointId = parseId('whk', endpoint);
      const deliveryId = parseId('dlv', id);
      if (workspaceId && endpointId && deliveryId) {
        const delivery = await findDelivery(workspaceId, endpointId, deliveryId);
        if (delivery?.state === 'pending') {
          await addDueEntries([{ workspaceId, delivery }]);
          found.set(endpointId, workspaceId);
        }
      }
      await remove({ pk, sk });
    }
  }
  return [...found].map(([endpointId, workspaceId]) => ({ workspaceId, endpointId }));
}
