/** Extracts text from attachments of received mail. */
import { parseQueueMessage } from '../../lib/core/queue-messages.ts';
import { createExtractor } from '../../lib/mail/files/run-in-process.ts';
import { logEvent } from '../../lib/observability/log.ts';
import { extractAttachment } from '../../lib/services/attachments/extract-attachment.ts';
import { consume } from '../../lib/services/queues/consume.ts';

/** The program is written next to this file by `lib/constructs/bundle.ts`. */
const extractor = createExtractor(new URL('./text-extraction.mjs', import.meta.url));

export const handler = consume(async (body, record) => {
  const tries = Number(record.attributes.ApproximateReceiveCount);
  await extractAttachment(parseQueueMessage('extract-text', body), tries, (file) =>
    extractor.extract(file, ({ name, frames }) =>
      logEvent('attachment.extraction_failed', { error_name: name, frames }),
    ),
  );
});
