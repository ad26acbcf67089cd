/** The segments of AWS X-Ray that a log line stands for: one for each traced email that it names (docs/decisions/0092-traces-in-xray.md). */
import { createHash } from 'node:crypto';
import * as z from 'zod';
import { idTime } from '../../core/ids.ts';
import { isTraced } from '../../observability/trace-sampling.ts';
import { jsonLine } from './invocation-line.ts';

/** "AWS X-Ray segment documents", AWS X-Ray Developer Guide. */
export interface Segment {
  readonly name: string;
  readonly id: string;
  readonly trace_id: string;
  /** Absent: the segment is the root. */
  readonly parent_id?: string;
  /** Unix seconds. */
  readonly start_time: number;
  readonly end_time: number;
  readonly annotations: Readonly<Record<string, string>>;
  readonly metadata: Readonly<Record<string, string>>;
}

export interface LogEvent {
  /** Unique, and the same where the event is delivered again. */
  readonly id: string;
  readonly message: string;
}

/** X-Ray takes more about a trace for seven days at no cost ("AWS X-Ray endpoints and quotas", AWS General Reference). */
const ageMsMax = 7 * 24 * 3_600_000;

const id = z.string().max(250);
const positive = z.number().positive().optional();

/** What `lib/observability/count.ts` writes. */
const line = z.object({
  _aws: z.object({ Timestamp: z.number() }),
  duration_ms: z.number().min(0),
  request_id: id.optional(),
  emails: z.array(
    z.object({
      workspace_id: id,
      email_id: z.string().regex(/^eml_[0-9a-f]{32}$/),
      chunk: z.number().optional(),
      provider_id: id.optional(),
      delivery_id: id.optional(),
    }),
  ),
  // With one of these, the invocation made its emails.
  EmailsAccepted: positive,
  EmailsReceived: positive,
  EmailsSentElsewhere: positive,
});
type Line = z.output<typeof line>;
type Named = Line['emails'][number];

/**
 * The segments of a line; none where it is of another form, or where its emails have no trace.
 *
 * @param stream of the log, which names the function
 * @param share of the emails that have a trace
 */
export function segmentsOf(
  event: LogEvent,
  { stream, share, nowMs }: { readonly stream: string; readonly share: number; readonly nowMs: number },
): Segment[] {
  const parsed = line.safeParse(jsonLine(event.message));
  if (!parsed.success) return [];
  return parsed.data.emails.flatMap((email, index) => {
    const isOld = idTime(email.email_id) < nowMs - ageMsMax;
    if (isOld || !isTraced(email.email_id, share)) return [];
    return [segmentOf(parsed.data, email, { stream, id: `${event.id} ${index}` })];
  });
}

function segmentOf(
  { _aws, duration_ms, request_id, ...counts }: Line,
  { workspace_id, email_id, chunk, provider_id, delivery_id }: Named,
  source: { readonly stream: string; readonly id: string },
): Segment {
  const made = counts.EmailsAccepted ?? counts.EmailsReceived ?? counts.EmailsSentElsewhere;
  const isRoot = made !== undefined && chunk === undefined && delivery_id === undefined;
  const ids = isRoot ? { workspace_id, email_id, request_id } : { provider_id, delivery_id };
  return {
    name: functionOf(source.stream),
    id: isRoot ? rootIdOf(email_id) : createHash('sha256').update(source.id).digest('hex').slice(0, 16),
    trace_id: traceIdOf(email_id),
    ...(!isRoot && { parent_id: rootIdOf(email_id) }),
    start_time: (_aws.Timestamp - duration_ms) / 1000,
    end_time: _aws.Timestamp / 1000,
    // X-Ray indexes 50 of a trace: each id once, where it is first known.
    annotations: Object.fromEntries(
      Object.entries(ids).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
    ),
    metadata: { log_stream: source.stream },
  };
}

/** The id of the trace of an email: the second of its id, and the last 24 digits of it, of which 20 are random. */
export function traceIdOf(emailId: string): string {
  const seconds = Math.trunc(idTime(emailId) / 1000);
  return `1-${seconds.toString(16).padStart(8, '0')}-${emailId.slice(-24)}`;
}

/** Random digits of the id of the email. */
function rootIdOf(emailId: string): string {
  return emailId.slice(-16);
}

/** `YYYY/MM/DD/<function>[<version>][<environment>]` ("Configuring CloudWatch log groups", AWS Lambda Developer Guide). */
function functionOf(stream: string): string {
  return /^\d{4}\/\d\d\/\d\d\/([\w-]{1,64})\[/.exec(stream)?.[1] ?? 'function';
}
