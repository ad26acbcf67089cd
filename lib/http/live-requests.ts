/** Messages of clients over live connections, and the problems that answer them (docs/concepts/live.md#messages). */
import * as z from 'zod';
import type { Problem } from '../core/problems.ts';
import { labelsMax } from '../core/threads/thread.ts';
import { eventTypes } from '../core/webhooks/event-types.ts';
import type { LiveRequest } from '../services/live/answer-client.ts';
import { invalid, parseOptions } from './issues.ts';
import { parseJson } from './json.ts';
import { eventPosition } from './presenters/event-position.ts';
import { labelInput } from './presenters/thread-marks.ts';
import { problemResponse } from './problem-body.ts';
import { spaceQuery } from './schemas.ts';

const requestSchema = z.discriminatedUnion('action', [
  z.strictObject({ action: z.literal('ping') }),
  z.strictObject({
    action: z.literal('subscribe'),
    types: z.array(z.enum(eventTypes)).max(eventTypes.length).nullish(),
    labels: z.array(labelInput).max(labelsMax).nullish(),
    space_id: spaceQuery.space.nullish(),
    after: eventPosition('after').nullish(),
  }),
]);

/** @throws Problem invalid_json, invalid_request, not_found for what is no space id */
export function readLiveRequest(text: string | undefined): LiveRequest {
  const json = parseJson(text ?? '');
  const parsed = requestSchema.safeParse(json, parseOptions);
  if (!parsed.success) {
    throw invalid(parsed.error.issues, { code: 'invalid_request', detail: 'The message failed validation.' });
  }
  const request = parsed.data;
  if (request.action === 'ping') return request;
  const { types, labels, after } = request;
  const filters = {
    types: [...new Set(types)],
    labels: [...new Set(labels)],
    space: spaceOf(request.space_id, json),
  };
  return { action: 'subscribe', filters, after: after ?? null };
}

/** The schema parses `none` as null, which is here every space. */
function spaceOf<Id extends string>(parsed: Id | null | undefined, json: unknown): Id | 'none' | null {
  if (parsed) return parsed;
  return Object(json).space_id === 'none' ? 'none' : null;
}

/** The message that answers a message of a client with a problem. */
export function problemFrame(problem: Problem, context: { requestId: string; docsUrl: string }): string {
  const { body } = problemResponse(problem, { ...context, version: 2 });
  return `{"type":"problem","problem":${body}}`;
}
