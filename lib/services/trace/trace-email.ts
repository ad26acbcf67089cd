/** The way of an email, for the operator: what the table and the logs have about it, without addresses and content. */
import { type FoundLine, searchLogs } from '../../adapters/log-search.ts';
import type { EmailProgress } from '../../core/emails/email.ts';
import { directionOf } from '../../core/emails/email.ts';
import { wireMessageId } from '../../core/emails/message-ids.ts';
import type { SubmissionChunk } from '../../core/emails/submission.ts';
import { type EmailId, type EndpointId, type EventId, parseId, type WorkspaceId } from '../../core/ids.ts';
import { type Attempt, deliveryIdOf } from '../../core/webhooks/delivery.ts';
import { env } from '../../env.ts';
import { findProgress } from '../../storage/emails/emails.ts';
import { findEmailByMessageId } from '../../storage/emails/message-ids.ts';
import { listEventsShowing } from '../../storage/teardown/teardown-events.ts';
import { findDeliveries } from '../../storage/webhooks/deliveries.ts';
import { listAllEndpoints } from '../../storage/webhooks/endpoints.ts';
import { findEvent, findEvents } from '../../storage/webhooks/events.ts';

export interface Step {
  /** Unix milliseconds. */
  readonly at: number;
  readonly step: string;
  /** The id that the step has of its own; empty: none. */
  readonly id: string;
  readonly detail: string;
}

/** Clocks of AWS's services differ a little, and reports of SES come later than what they report. */
const marginMs = 60 * 60_000;

/**
 * @param id of an email or an event, a Message-ID, or an SES message id
 * @returns the steps, oldest first; null: there is no such email
 */
export async function traceEmail(workspaceId: WorkspaceId, id: string): Promise<Step[] | null> {
  const emailId = await emailOf(workspaceId, id);
  const progress = emailId && (await findProgress(workspaceId, emailId));
  if (!progress) return null;
  const [webhooks, lines] = await Promise.all([
    webhookSteps(workspaceId, progress.head.id),
    logSteps(progress.head.id, progress.head.createdAt - marginMs),
  ]);
  return [...emailSteps(progress), ...webhooks, ...lines].toSorted((a, b) => a.at - b.at);
}

async function emailOf(workspaceId: WorkspaceId, id: string): Promise<EmailId | null> {
  const emailId = parseId('eml', id);
  if (emailId) return emailId;
  const eventId = parseId('evt', id);
  if (eventId) {
    const subject = (await findEvent(workspaceId, eventId))?.subject;
    return subject && 'emailId' in subject ? subject.emailId : null;
  }
  // An SES message id is the first part of the Message-ID that SES writes.
  const candidates = id.includes('@')
    ? [id.startsWith('<') ? id : `<${id}>`]
    : env().MAIL_REGIONS.map((region) => wireMessageId(region, id));
  for (const messageId of candidates) {
    const found = await findEmailByMessageId(workspaceId, null, messageId);
    if (found) return found;
  }
  return null;
}

function emailSteps({ head, history, chunks }: EmailProgress): Step[] {
  const begin = directionOf(head.status) === 'inbound' ? 'received' : 'accepted';
  return [
    {
      at: head.createdAt,
      step: begin,
      id: head.id,
      detail: `${head.threadId}, ${head.status} now${head.idempotencyKey === null ? '' : ', idempotency key'}`,
    },
    ...chunks.flatMap(chunkSteps),
    ...history.map(({ type, at, recipients, permanent }) => ({
      at,
      step: `history ${type}`,
      id: '',
      detail: [`${recipients.length} recipients`, ...(permanent ? ['permanent'] : [])].join(', '),
    })),
  ];
}

function chunkSteps(chunk: SubmissionChunk): Step[] {
  const { number, of, state, attempt, claimedAt, completedAt, region, providerId } = chunk;
  const part = `chunk ${number + 1} of ${of}`;
  const claim = { at: claimedAt, step: 'claimed', id: '', detail: `${part}, claim ${attempt}, ${region}` };
  if (completedAt === null) return [claim];
  return [claim, { at: completedAt, step: `SES ${state}`, id: providerId ?? '', detail: part }];
}

/** The events that show the email, their deliveries and attempts. */
async function webhookSteps(workspaceId: WorkspaceId, emailId: EmailId): Promise<Step[]> {
  const [ids, endpoints] = await Promise.all([
    listEventsShowing(workspaceId, emailId),
    listAllEndpoints(workspaceId),
  ]);
  const events = await findEvents(workspaceId, ids);
  const deliveries = await Promise.all(
    endpoints.map((endpoint) => deliverySteps(workspaceId, endpoint.id, ids)),
  );
  return [
    ...[...events.values()].map(({ id, type, createdAt }) => ({
      at: createdAt,
      step: `event ${type}`,
      id,
      detail: '',
    })),
    ...deliveries.flat(),
  ];
}

async function deliverySteps(
  workspaceId: WorkspaceId,
  endpointId: EndpointId,
  eventIds: readonly EventId[],
): Promise<Step[]> {
  const ids = eventIds.map((eventId) => deliveryIdOf(eventId, endpointId));
  const found = (await findDeliveries(workspaceId, endpointId, ids)).filter((delivery) => delivery !== null);
  return found.flatMap(({ id, eventType, state, createdAt, nextAttemptAt, attempts }) => [
    { at: createdAt, step: `delivery ${state}`, id, detail: `${eventType} to ${endpointId}` },
    ...attempts.map((attempt) => attemptStep(attempt, id)),
    ...(nextAttemptAt === null ? [] : [{ at: nextAttemptAt, step: 'next attempt', id, detail: '' }]),
  ]);
}

function attemptStep({ attemptedAt, statusCode, error, durationMs }: Attempt, id: string): Step {
  const answer = statusCode === null ? (error ?? 'no response') : `status ${statusCode}`;
  return { at: attemptedAt, step: 'attempt', id, detail: `${answer} after ${Math.round(durationMs)} ms` };
}

/** Fields of a log line that are no detail, and those that may quote what others wrote. */
const unsaid: ReadonlySet<string> = new Set([
  ...['timestamp', 'level', 'event', 'runbook', 'email_id', 'workspace_id'],
  ...['reason', 'error', '_aws'],
]);

async function logSteps(emailId: EmailId, from: number): Promise<Step[]> {
  const { METRICS_NAMESPACE: prefix, HOME_REGION: region } = env();
  const to = Date.parse('9999-01-01');
  const groups = ['api', 'workers'].map((of) => `/${prefix}/${of}`);
  const lines = await Promise.all(groups.map((group) => searchLogs(region, group, emailId, { from, to })));
  return lines.flat().flatMap(logStep);
}

function logStep({ at, text }: FoundLine): Step[] {
  const line: Record<string, unknown> = JSON.parse(text);
  if (typeof line.event !== 'string') return [];
  const detail = Object.entries(line)
    .filter(([name, value]) => !unsaid.has(name) && ['string', 'number'].includes(typeof value))
    .map(([name, value]) => `${name} ${String(value)}`);
  return [{ at, step: `log ${line.event}`, id: '', detail: detail.join(', ') }];
}
