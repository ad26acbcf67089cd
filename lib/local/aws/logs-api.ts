/** CloudWatch Logs (AWS JSON 1.1): search of the last lines of the functions ("FilterLogEvents", Amazon CloudWatch Logs API Reference). */
import * as z from 'zod';
import type { LogRing } from '../logs.ts';
import { jsonBody, jsonError, jsonResponse, parseInput, targetOperation } from './json-protocol.ts';
import type { AwsService } from './service.ts';
import { localAccount } from './service.ts';

const operations = ['FilterLogEvents'] as const;
const input = z.strictObject({
  logGroupName: z.string(),
  startTime: z.number(),
  endTime: z.number(),
  /** One quoted term. */
  filterPattern: z.string().regex(/^".*"$/),
  nextToken: z.undefined().optional(),
});

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
      const { logGroupName, startTime, endTime, filterPattern } = parseInput(input, jsonBody(call));
      const term = String(JSON.parse(filterPattern));
      const events = lines()
        .filter(({ at, source, text }) => {
          return (
            at >= startTime && at <= endTime && logGroupOf(source) === logGroupName && text.includes(term)
          );
        })
        .map(({ at, source, text }) => ({ timestamp: Math.trunc(at), logStreamName: source, message: text }));
      return jsonResponse({ events, searchedLogStreams: [] }, '1.1');
    },
  };
}
