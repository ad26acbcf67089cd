/** Segments of traces in AWS X-Ray ("PutTraceSegments", AWS X-Ray API Reference). */
import { timeouts } from './aws-clients.ts';
import { backOff } from './back-off.ts';
import { signPost } from './signed-post.ts';

/** As many as X-Ray's daemon sends ("Sending trace data to AWS X-Ray"); the API names no bound. */
const batchMax = 50;
const attemptsMax = 3;

/**
 * Sends segment documents of up to 64 KB each, in batches. What X-Ray refuses of a batch is sent again, and keeps nothing else back.
 *
 * @throws Error where X-Ray cannot be reached, or has refused segments until the end
 */
export async function putTraceSegments(segments: readonly { readonly id: string }[]): Promise<void> {
  const refused: string[] = [];
  for (let from = 0; from < segments.length; from += batchMax) {
    refused.push(...(await putBatch(segments.slice(from, from + batchMax))));
  }
  if (refused.length > 0) {
    const codes = [...new Set(refused)].slice(0, 5).join(', ');
    throw new Error(`X-Ray refused ${refused.length} of ${segments.length} segments (${codes})`);
  }
}

/** @returns the error code of each segment that was refused in the last attempt, too */
async function putBatch(batch: readonly { readonly id: string }[]): Promise<string[]> {
  let open = batch;
  for (let attempt = 1; ; attempt++) {
    const refused = await put(open, attempt === attemptsMax);
    open = open.filter(({ id }) => refused.has(id));
    if (open.length === 0 || attempt === attemptsMax) return [...refused.values()];
    await backOff(attempt);
  }
}

/** One call. @returns error codes by the id of the segment; those of all where X-Ray is busy. @throws Error */
async function put(
  segments: readonly { readonly id: string }[],
  isLast: boolean,
): Promise<ReadonlyMap<string, string>> {
  const body = JSON.stringify({ TraceSegmentDocuments: segments.map((one) => JSON.stringify(one)) });
  const { url, headers } = await signPost({
    service: 'xray',
    region: process.env.AWS_REGION ?? '',
    path: '/TraceSegments',
    headers: { 'content-type': 'application/json' },
    body,
  });
  const signal = AbortSignal.timeout(timeouts().requestMs);
  const response = await fetch(url, { method: 'POST', headers, body, signal }).catch((error: unknown) => {
    if (isLast) throw error;
    return null;
  });
  const isBusy = response === null || response.status === 429 || response.status >= 500;
  if (isBusy && !isLast) {
    await response?.body?.cancel();
    return new Map(segments.map(({ id }) => [id, 'busy']));
  }
  if (!response?.ok) throw new Error(`X-Ray answered ${response?.status}`);
  const answer = Object(await response.json());
  const unprocessed: readonly { readonly Id?: string; readonly ErrorCode?: string }[] =
    answer.UnprocessedTraceSegments ?? [];
  return new Map(unprocessed.map(({ Id = '', ErrorCode = '' }) => [Id, ErrorCode.slice(0, 100)]));
}
