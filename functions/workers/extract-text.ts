/** Extracts text from attachments of received mail. */
import { parseQueueMessage } from '../../lib/core/queue-messages.ts';
import { logEvent } from '../../lib/observability/log.ts';
import { extractAttachment } from '../../lib/services/attachments/extract-attachment.ts';
import { consume } from '../../lib/services/queues/consume.ts';
import { extractInWorker } from '../../lib/text-extraction/run-in-worker.ts';

/** Written next to this file by `lib/constructs/bundle.ts`. */
const workerUrl = new URL('./text-extraction-worker.mjs', import.meta.url);

export const handler = consume(async (body, record) => {
  const tries = Number(record.attributes.ApproximateReceiveCount);
  await extractAttachment(parseQueueMessage('extract-text', body), tries, (file) =>
    extractInWorker(file, workerUrl, {
      onFault: ({ name, frames }) => logEvent('attachment.extraction_failed', { error_name: name, frames }),
    }),
  );
});
