/** The line that an invocation leaves (`lib/observability/count.ts`), as the operator's commands and the traces read it. */
import { type EmailId, parseId, type WorkspaceId } from '../../core/ids.ts';

/** What an invocation did for an email; fields as in `NamedEmail`. */
export interface EmailInLine {
  readonly workspaceId: WorkspaceId;
  readonly emailId: EmailId;
  readonly isReceived: boolean;
  readonly chunk: number | null;
  readonly providerId: string | null;
  readonly deliveryId: string | null;
}

export interface InvocationLine {
  /** When it began, Unix milliseconds. */
  readonly at: number;
  readonly durationMs: number;
  /** Of a request. */
  readonly requestId: string | null;
  /** Of a worker of a queue. */
  readonly queue: string | null;
  /** Whether it accepted or received its emails. */
  readonly hasMade: boolean;
  readonly emails: readonly EmailInLine[];
}

/** The lines that name emails: filter pattern of CloudWatch Logs. */
export const namingLines = '{ $.emails[0].email_id = "eml_*" }';

/** Of SES, of requests and of queues. */
const idForm = /^[\w.:-]{1,200}$/;
const textOf = (value: unknown): string | null =>
  typeof value === 'string' && idForm.test(value) ? value : null;

/** Lines of other releases may have other fields. null: it is not such a line; an entry that is none is left out. */
export function invocationLine(text: string): InvocationLine | null {
  const line = jsonLine(text);
  const { duration_ms: took, emails } = line;
  const { Timestamp: end } = Object(line._aws);
  if (!isTime(end) || !isTime(took) || !Array.isArray(emails)) return null;
  return {
    at: end - took,
    durationMs: took,
    requestId: textOf(line.request_id),
    queue: textOf(line.QueueName),
    hasMade: [line.EmailsAccepted, line.EmailsReceived, line.EmailsSentElsewhere].some(
      (made) => Number(made) > 0,
    ),
    emails: emails.flatMap(emailOf),
  };
}

/** Milliseconds that are a time ("Time Values and Time Range", ECMA-262). */
const isTime = (value: unknown): value is number => Number.isSafeInteger(value) && Number(value) <= 8.64e15;

/** The fields of a line; none where it is no JSON, such as the trace of a function that crashed. */
export function jsonLine(text: string): Readonly<Record<string, unknown>> {
  try {
    return Object(JSON.parse(text));
  } catch {
    return {};
  }
}

function emailOf(entry: unknown): EmailInLine[] {
  const { workspace_id, email_id, received, chunk, provider_id, delivery_id } = Object(entry);
  const workspaceId = parseId('wks', textOf(workspace_id) ?? '');
  const emailId = parseId('eml', textOf(email_id) ?? '');
  if (!workspaceId || !emailId) return [];
  return [
    {
      workspaceId,
      emailId,
      isReceived: received === true,
      chunk: Number.isSafeInteger(chunk) && chunk >= 0 ? chunk : null,
      providerId: textOf(provider_id),
      deliveryId: textOf(delivery_id),
    },
  ];
}
