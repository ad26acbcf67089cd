/** Makes the webhook attempts that are due at endpoints. */
import { parseQueueMessage } from '../../lib/core/queue-messages.ts';
import { presentV1Webhook } from '../../lib/http/presenters/v1/webhook.ts';
import { consume } from '../../lib/services/queues/consume.ts';
import { deliverDue } from '../../lib/services/webhooks/deliver-due.ts';
import { deliveryPorts } from '../../lib/services/webhooks/delivery-ports.ts';

const ports = deliveryPorts(presentV1Webhook);

export const handler = consume(async (body, { messageId }) => {
  await deliverDue(ports, parseQueueMessage('deliver-webhook', body), messageId);
});
