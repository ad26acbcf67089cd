/** The segments of AWS X-Ray that a log line stands for: one for each traced email that it names (docs/decisions/0092-traces-in-xray.md). */
import { createHash } from 'node:crypto';
import { idTime } from '../../core/ids.ts';
import { isTraced } from '../../observability/trace-sampling.ts';
import { type EmailInLine, type InvocationLine, invocationLine } from './invocation-line.ts';

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
  const line = invocationLine(event.message);
  if (!line) return [];
  return line.emails.flatMap((email, index) => {
    const isOld = idTime(email.emailId) < nowMs - ageMsMax;
    if (isOld || !isTraced(email.emailId, share)) return [];
    return [segmentOf(line, email, { stream, id: `${event.id} ${index}` })];
  });
}

function segmentOf(
  { at, durationMs, requestId, hasMade }: InvocationLine,
  { workspaceId, emailId, chunk, providerId, deliveryId }: EmailInLine,
  source: { readonly stream: string; readonly id: string },
): Segment {
  const isRoot = hasMade && chunk === null && deliveryId === null;
  const ids = isRoot
    ? { workspace_id: workspaceId, email_id: emailId, request_id: requestId }
    : { provider_id: providerId, delivery_id: deliveryId };
  return {
    name: functionOf(source.stream),
    id: isRoot ? rootIdOf(emailId) : createHash('sha256').update(source.id).digest('hex').slice(0, 16),
    trace_id: traceIdOf(emailId),
    ...(!isRoot && { parent_id: rootIdOf(emailId) }),
    start_time: at / 1000,
    end_time: (at + durationMs) / 1000,
    // X-Ray indexes 50 of a trace: each id once, where it is first known.
    annotations: Object.fromEntries(
      Object.entries(ids).flatMap(([name, value]) => (value === null ? [] : [[name, value]])),
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
