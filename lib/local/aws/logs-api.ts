/** CloudWatch Logs (AWS JSON 1.1): search of the last lines of the functions ("FilterLogEvents", Amazon CloudWatch Logs API Reference). */
import * as z from 'zod';
import type { LogLine, LogRing } from '../logs.ts';
import { jsonBody, jsonError, jsonResponse, parseInput, targetOperation } from './json-protocol.ts';
import { logFilter } from './log-filter-pattern.ts';
import type { AwsService } from './service.ts';
import { localAccount } from './service.ts';

const operations = ['FilterLogEvents'] as const;
const input = z.strictObject({
  logGroupName: z.string(),
  startTime: z.number(),
  endTime: z.number(),
  filterPattern: z.string().max(1024),
  /** The number of lines that were given before. */
  nextToken: z
    .string()
    .regex(/^\d{1,9}$/)
    .optional(),
});

/** Of a page: "up to 1 MB of log events or up to 10,000 log events". */
const pageBytesMax = 1024 * 1024;
const pageLinesMax = 10_000;

/** `parley-worker-relay` logs to `/parley/workers`, `parley-api-emails-send` to `/parley/api`. */
export function logGroupOf(functionName: string): string {
  const [prefix, of] = functionName.split('-');
  return `/${prefix}/${of === 'worker' ? 'workers' : of}`;
}

export function createLogsApi(lines: LogRing['lines']): AwsService {
  return {
    name: 'logs',
    action: (call) => targetOperation(call, 'logs', operations),
    permissions: (call) => [
      {
        action: 'logs:FilterLogEvents',
        resource: `arn:aws:logs:${call.region}:${localAccount}:log-group:${String(jsonBody(call).logGroupName)}`,
      },
    ],
    errorResponse: (refusal) => jsonError(refusal, '1.1'),
    async handle(call) {
      const { logGroupName, startTime, endTime, filterPattern, nextToken } = parseInput(
        input,
        jsonBody(call),
      );
      const isMeant = logFilter(filterPattern);
      const begin = Number(nextToken ?? 0);
      const found = lines()
        .filter(({ at, source, text }) => {
          return at >= startTime && at <= endTime && logGroupOf(source) === logGroupName && isMeant(text);
        })
        .slice(begin);
      const page = found.slice(0, linesOfPage(found));
      const events = page.map(({ at, source, text }) => ({
        timestamp: Math.trunc(at),
        logStreamName: source,
        message: text,
      }));
      const more = page.length < found.length && { nextToken: String(begin + page.length) };
      return jsonResponse({ events, searchedLogStreams: [], ...more }, '1.1');
    },
  };
}

function linesOfPage(found: readonly LogLine[]): number {
  let bytes = 0;
  const end = found.findIndex(({ text }) => {
    bytes += Buffer.byteLength(text);
    return bytes > pageBytesMax;
  });
  return Math.max(1, Math.min(end === -1 ? found.length : end, pageLinesMax));
}
