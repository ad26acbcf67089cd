/** Reads files of received mail into text. */
import { parseQueueMessage } from '../../lib/core/queue-messages.ts';
import { extractAttachment } from '../../lib/services/attachments/extract-attachment.ts';
import { consume } from '../../lib/services/queues/consume.ts';
import { extractInWorker } from '../../lib/text-extraction/run-in-worker.ts';

/** Beside this file in the bundle (`lib/constructs/bundle.ts`). */
const thread = new URL('./text-extraction-worker.mjs', import.meta.url);

export const handler = consume(async (body, record) => {
  const tries = Number(record.attributes.ApproximateReceiveCount);
  await extractAttachment(parseQueueMessage('extract-text', body), tries, (file) =>
    extractInWorker(file, thread),
  );
});
