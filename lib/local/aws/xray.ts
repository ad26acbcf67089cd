/** AWS X-Ray (REST-JSON): takes segments ("AWS X-Ray segment documents", AWS X-Ray Developer Guide) and keeps them by trace. */
import * as z from 'zod';
import { jsonBody, jsonError, jsonResponse, parseInput, unsupported } from './json-protocol.ts';
import type { AwsCall, AwsService, LocalClock } from './service.ts';

const documentBytesMax = 64_000;
/** How long X-Ray keeps a trace. An older one is `InvalidTraceId`, the one code that is documented ("Sending trace data to AWS X-Ray"). */
const traceMsMax = 30 * 24 * 3_600_000;
/** "AWS X-Ray endpoints and quotas", AWS General Reference. */
const indexedMax = 50;

const text = z.string().max(250);
const segmentId = z.string().regex(/^[0-9a-f]{16}$/);
const seconds = z.number().positive();

/** The fields that the local cloud knows; strict, since X-Ray would honour others. */
const segment = z
  .strictObject({
    name: z
      .string()
      .min(1)
      .max(200)
      .regex(/^[\p{L}\p{N}\s_.:/%&#=+\\@-]+$/u),
    id: segmentId,
    trace_id: z.string().regex(/^1-[0-9a-f]{8}-[0-9a-f]{24}$/),
    parent_id: segmentId.optional(),
    start_time: seconds,
    end_time: seconds.optional(),
    in_progress: z.literal(true).optional(),
    annotations: z
      .record(z.string().regex(/^[A-Za-z0-9_]+$/), z.union([text, z.number(), z.boolean()]))
      .default({}),
    metadata: z.record(z.string(), z.unknown()).default({}),
  })
  .refine(({ end_time, in_progress }) => (end_time === undefined) !== (in_progress === undefined), {
    error: 'has neither end_time nor in_progress, or both',
  });
export type TraceSegment = z.output<typeof segment>;

export interface XRay extends AwsService {
  /** The segments of each trace whose indexed annotations have these values, in the order of their arrival. */
  traces(annotations: Readonly<Record<string, string>>): readonly (readonly TraceSegment[])[];
}

const input = z.strictObject({ TraceSegmentDocuments: z.array(z.string()) });

export function createXRay({ now }: Pick<LocalClock, 'now'>): XRay {
  const traces = new Map<string, Map<string, TraceSegment>>();

  /** @returns why X-Ray does not take a document; null: it does */
  function take(document: string): { readonly Id?: string; readonly ErrorCode: string } | null {
    const json = jsonOf(document);
    const parsed = segment.safeParse(json);
    const { id, trace_id } = Object(json);
    const named = typeof id === 'string' ? { Id: id } : {};
    if (!parsed.success || Buffer.byteLength(document) > documentBytesMax) {
      return { ...named, ErrorCode: trace_id === undefined ? 'MissingTraceId' : 'InvalidSegment' };
    }
    const startedAt = Number.parseInt(trace_id.slice(2, 10), 16) * 1000;
    if (startedAt < now() - traceMsMax) return { ...named, ErrorCode: 'InvalidTraceId' };
    // A complete segment overwrites the one in progress, and what is sent again.
    traces.set(trace_id, (traces.get(trace_id) ?? new Map()).set(id, parsed.data));
    return null;
  }

  return {
    name: 'xray',
    action: actionOf,
    permissions: () => [{ action: 'xray:PutTraceSegments', resource: '*' }],
    errorResponse: (refusal) => jsonError(refusal),
    async handle(call) {
      const { TraceSegmentDocuments } = parseInput(input, jsonBody(call));
      const refused = TraceSegmentDocuments.flatMap((document) => take(document) ?? []);
      return jsonResponse({
        UnprocessedTraceSegments: refused.map((one) => ({
          ...one,
          Message: `Invalid segment. ErrorCode: ${one.ErrorCode}`,
        })),
      });
    },
    traces(annotations) {
      const wanted = Object.entries(annotations);
      return [...traces.values()]
        .map((byId) => [...byId.values()])
        .filter((segments) => {
          const indexed = segments.flatMap((one) => Object.entries(one.annotations)).slice(0, indexedMax);
          return wanted.every(([name, value]) =>
            indexed.some(([key, other]) => key === name && String(other) === value),
          );
        });
    },
  };
}

function actionOf({ method, path }: AwsCall): string {
  return method === 'POST' && path === '/TraceSegments'
    ? 'PutTraceSegments'
    : unsupported('xray', `${method} ${path}`);
}

function jsonOf(document: string): unknown {
  try {
    return JSON.parse(document);
  } catch {
    return null;
  }
}
