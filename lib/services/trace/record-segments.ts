/** Writes the segments of the log lines that a subscription filter delivers. */
import { gunzipSync } from 'node:zlib';
import * as z from 'zod';
import { now } from '../../adapters/clock.ts';
import { putTraceSegments } from '../../adapters/trace-segments.ts';
import { segmentsOf } from './segments.ts';

/** Far more than the lines of one event are. */
const unpackedBytesMax = 64 * 1024 * 1024;

/** "Log group-level subscription filters", Amazon CloudWatch Logs User Guide. */
const batch = z.object({
  messageType: z.string(),
  logStream: z.string().max(512),
  logEvents: z.array(z.object({ id: z.string().max(100), message: z.string() })),
});

/**
 * Lines that are delivered twice write the same segments again.
 *
 * @param data JSON in gzip in base64
 * @param share of the emails that have a trace
 * @throws Error where `data` is of another form, or where X-Ray did not take every segment
 */
export async function recordSegments(data: string, share: number): Promise<void> {
  const unpacked = gunzipSync(Buffer.from(data, 'base64'), { maxOutputLength: unpackedBytesMax });
  const { messageType, logStream: stream, logEvents } = batch.parse(JSON.parse(unpacked.toString()));
  // Others ask whether there is a function at all.
  if (messageType !== 'DATA_MESSAGE') return;
  const nowMs = now();
  await putTraceSegments(logEvents.flatMap((event) => segmentsOf(event, { stream, share, nowMs })));
}
