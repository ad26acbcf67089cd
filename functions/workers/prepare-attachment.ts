/** Reads files of received mail into text. */
import { parseMessage } from '../../lib/domain/messages.ts';
import { prepareApart } from '../../lib/preparation/apart.ts';
import { consume } from '../../lib/services/consume.ts';
import { prepareReceivedFile } from '../../lib/services/preparation.ts';

/** Beside this file in the bundle (`lib/constructs/bundle.ts`). */
const thread = new URL('./preparation-thread.mjs', import.meta.url);

export const handler = consume(async (body, record) => {
  const tries = Number(record.attributes.ApproximateReceiveCount);
  await prepareReceivedFile(parseMessage('prepare-attachment', body), tries, (file) =>
    prepareApart(file, thread),
  );
});
