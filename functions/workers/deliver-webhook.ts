/** Makes webhook attempts, and brings back deliveries that wait. */
import { gather } from '../../lib/adapters/gather.ts';
import {
  type DeliverWebhook,
  parseQueueMessageOf,
  type ResumeEndpoint,
} from '../../lib/core/queue-messages.ts';
import { consume } from '../../lib/services/queues/consume.ts';
import { deliverTogether } from '../../lib/services/webhooks/deliver-batch.ts';
import { deliveryPorts } from '../../lib/services/webhooks/delivery-ports.ts';

const ports = deliveryPorts({
  v1: async () => (await import('../../lib/http/presenters/v1/webhook.ts')).presentV1Webhook,
  included: async () => (await import('../../lib/http/presenters/included.ts')).presentIncluded,
});

interface Received {
  readonly message: DeliverWebhook | ResumeEndpoint;
  done(): void;
  failed(error: unknown): void;
}

/** The messages of a batch, those of an endpoint together. */
const process = gather<Received>((batch) => {
  for (const [, all] of Map.groupBy(batch, ({ message }) => message.endpointId)) void deliver(all);
});

async function deliver(received: readonly Received[]): Promise<void> {
  const [first] = received;
  if (!first) return;
  const { workspaceId, endpointId } = first.message;
  try {
    const messages = received.map(({ message }) => message);
    const failures = await deliverTogether(ports, { workspaceId, endpointId }, messages);
    for (const { message, done, failed } of received) {
      const isFailed = message.kind === 'deliver-webhook' && failures.has(message.deliveryId);
      if (isFailed) failed(failures.get(message.deliveryId));
      else done();
    }
  } catch (error) {
    for (const { failed } of received) failed(error);
  }
}

export const handler = consume((body) => {
  const message = parseQueueMessageOf(['deliver-webhook', 'resume-endpoint'], body);
  return new Promise((done, failed) => process({ message, done, failed }));
});
