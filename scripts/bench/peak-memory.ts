/** A process that runs one function on batches of messages, as Lambda would, and says how much memory that took. */
import { existsSync, readFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';

export interface PeakTask {
  /** File of the bundle. */
  readonly module: string;
  /** Messages by invocation. */
  readonly batches: readonly (readonly unknown[])[];
}

export interface PeakAnswer {
  readonly idleBytes: number;
  readonly peakBytes: number;
}

interface Bundle {
  readonly handler: (event: unknown) => Promise<{ readonly batchItemFailures: readonly unknown[] }>;
}

const { module, batches } = JSON.parse(process.argv[2] ?? '') as PeakTask;
const { handler } = (await import(pathToFileURL(module).href)) as Bundle;
const idleBytes = peakBytes();
for (const messages of batches) {
  const { batchItemFailures } = await handler({
    Records: messages.map((message, at) => ({
      messageId: String(at),
      body: JSON.stringify(message),
      eventSourceARN: 'arn:aws:sqs:us-east-1:111111111111:parley-mail',
      attributes: { ApproximateReceiveCount: '1' },
    })),
  });
  if (batchItemFailures.length > 0) throw new Error('the function failed');
}
console.log(JSON.stringify({ idleBytes, peakBytes: peakBytes() } satisfies PeakAnswer));
process.exit();

/** The largest resident set so far. */
function peakBytes(): number {
  // `maxRSS` begins with that of the process that started this one, wherever there is a better source.
  const status = existsSync('/proc/self/status') ? readFileSync('/proc/self/status', 'utf8') : '';
  const kilobytes = /^VmHWM:\s+(\d+) kB/m.exec(status)?.[1];
  return Number(kilobytes ?? process.resourceUsage().maxRSS) * 1024;
}
