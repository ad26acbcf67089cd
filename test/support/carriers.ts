/** Records of the table's stream: new items that carry messages. */
import { marshall } from '@aws-sdk/util-dynamodb';
import type { QueueMessage } from '../../lib/core/queue-messages.ts';
import type { CarrierRecord } from '../../lib/services/usage/usage.ts';

let made = 0;

/** @param rest attributes of the item beside the messages */
export function carrierOf(message: QueueMessage, rest: object = {}): CarrierRecord {
  made += 1;
  const outbox = JSON.stringify({ id: String(made), messages: [{ message }] });
  return {
    image: marshall({ pk: 'W#x#OUT', sk: `OUT#${made}`, ...rest, outbox }),
    sequenceNumber: String(made),
  };
}
