/** The way of an email, for the operator: what the table and the logs have about it, without addresses and content. */
import { type FoundLine, searchLogs, termOf } from '../../adapters/log-search.ts';
import {
  directionOf,
  type EmailHead,
  type EmailProgress,
  type EmailStatus,
} from '../../core/emails/email.ts';
import { claimedByRestore, type SubmissionChunk } from '../../core/emails/submission.ts';
import { type EmailId, type EndpointId, type EventId, idTime, type WorkspaceId } from '../../core/ids.ts';
import { type Attempt, deliveryIdOf } from '../../core/webhooks/delivery.ts';
import { allDone } from '../../core/work/all-done.ts';
import { env } from '../../env.ts';
import { type RunbookHeading, runbookHeadings, type SymptomHeading } from '../../observability/runbook.ts';
import { findProgress } from '../../storage/emails/emails.ts';
import { listEventsOfCreation, listFurtherEvents } from '../../storage/emails/events-of-email.ts';
import { findDeliveries } from '../../storage/webhooks/deliveries.ts';
import { listAllEndpoints } from '../../storage/webhooks/endpoints.ts';
import { findEvents } from '../../storage/webhooks/events.ts';
import { findWorkspaceById } from '../../storage/workspaces/workspaces.ts';
import type { Traced } from './find-traced.ts';
import { invocationLine, jsonLine } from './invocation-line.ts';

export interface Step {
  /** Unix milliseconds. */
  readonly at: number;
  readonly step: string;
  /** The id that the step has of its own; empty: none. */
  readonly id: string;
  readonly detail: string;
  /** The section of docs/runbook.md that it belongs to; none: it went well. */
  readonly runbook?: string;
}

const section = (heading: RunbookHeading | SymptomHeading) => ({ runbook: `docs/runbook.md#${heading}` });

/** The symptom that a status may be reported as. */
const symptomOf: Readonly<Partial<Record<EmailStatus, SymptomHeading>>> = {
  scheduled: 'an-email-stays-queued',
  queued: 'an-email-stays-queued',
  sending: 'an-email-stays-queued',
  bounced: 'an-email-did-not-arrive',
  failed: 'an-email-did-not-arrive',
  complained: 'an-email-did-not-arrive',
};

/** Clocks of AWS's services differ a little, and reports of SES come later than what they report. */
const marginMs = 60 * 60_000;

/** @returns the steps, oldest first; null: neither the table nor the logs have the email */
export async function traceEmail({ workspaceId, emailId }: Traced): Promise<Step[] | null> {
  const progress = await findProgress(workspaceId, emailId);
  const since = (progress?.head.createdAt ?? idTime(emailId)) - marginMs;
  const [webhooks, lines, workspace] = await allDone([
    progress ? webhookSteps(workspaceId, progress.head) : [],
    logSteps({ workspaceId, emailId }, since),
    findWorkspaceById(workspaceId),
  ]);
  if (!progress && lines.length === 0) return null;
  const own = `workspace ${workspace?.slug ?? workspaceId}`;
  const steps = progress ? emailSteps(progress, own) : [missing(emailId, own)];
  return [...steps, ...webhooks, ...lines].toSorted((a, b) => a.at - b.at);
}

/** Of an email that the logs alone know. */
const missing = (emailId: EmailId, own: string): Step => ({
  at: idTime(emailId),
  step: 'not in the table',
  id: emailId,
  detail: `${own}; it is a draft, was deleted, or a restore has lost it`,
});

function emailSteps({ head, history, chunks }: EmailProgress, own: string): Step[] {
  const symptom = symptomOf[head.status];
  const begin = directionOf(head.status) === 'inbound' ? 'received' : 'accepted';
  return [
    {
      at: head.createdAt,
      step: begin,
      id: head.id,
      detail: `${own}, ${head.threadId}, ${head.status} now${head.idempotencyKey === null ? '' : ', idempotency key'}`,
      ...(symptom && section(symptom)),
    },
    ...chunks.flatMap((chunk) => chunkSteps(chunk, head.createdAt)),
    ...history.map(({ type, at, recipients, permanent }) => ({
      at,
      step: `history ${type}`,
      id: '',
      detail: [`${recipients.length} recipients`, ...(permanent ? ['permanent'] : [])].join(', '),
    })),
  ];
}

/** @param createdAt in the place of a time that a claim does not have */
function chunkSteps(chunk: SubmissionChunk, createdAt: number): Step[] {
  const { number, of, state, attempt, claimedAt, completedAt, region, providerId } = chunk;
  const part = `chunk ${number + 1} of ${of}`;
  const isHeld = claimedAt === claimedByRestore;
  const claim = {
    at: isHeld || claimedAt === 0 ? createdAt : claimedAt,
    step: 'claimed',
    id: '',
    detail: `${part}, claim ${attempt}, ${region}${isHeld ? ', held by a restore' : ''}`,
    ...(attempt > 1 && section('an-email-arrived-twice')),
  };
  if (completedAt === null) return [claim];
  return [claim, { at: completedAt, step: `SES ${state}`, id: providerId ?? '', detail: part }];
}

/** The events of the email, their deliveries and attempts. */
async function webhookSteps(workspaceId: WorkspaceId, head: EmailHead): Promise<Step[]> {
  const [ofCreation, further, endpoints] = await allDone([
    listEventsOfCreation(workspaceId, head),
    listFurtherEvents(workspaceId, head.id),
    listAllEndpoints(workspaceId),
  ]);
  const ids = [...ofCreation, ...further];
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
    {
      ...{ at: createdAt, step: `delivery ${state}`, id, detail: `${eventType} to ${endpointId}` },
      ...(attempts.length > 0 && state !== 'delivered' && section('a-webhook-did-not-come')),
      ...(attempts.length > 1 && state === 'delivered' && section('a-webhook-came-twice')),
    },
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

async function logSteps(traced: Traced, from: number): Promise<Step[]> {
  const { METRICS_NAMESPACE: prefix, HOME_REGION: region } = env();
  const to = Date.parse('9999-01-01');
  const groups = ['api', 'workers'].map((of) => `/${prefix}/${of}`);
  const pattern = termOf(traced.emailId);
  const lines = await allDone(groups.map((group) => searchLogs({ region, group, pattern, from, to })));
  return lines.flat().flatMap((line) => [...invocationSteps(line, traced), ...logStep(line, traced)]);
}

/** The request that made the email, and the invocations that worked on it. */
function invocationSteps({ text }: FoundLine, traced: Traced): Step[] {
  const line = invocationLine(text);
  const own = line?.emails.filter(
    ({ workspaceId, emailId }) => emailId === traced.emailId && workspaceId === traced.workspaceId,
  );
  if (!line || !own || own.length === 0) return [];
  const others = new Set(line.emails.map(({ emailId }) => emailId)).size - 1;
  const parts = own.flatMap(({ chunk, providerId, deliveryId }) => [
    ...(chunk === null ? [] : [`chunk ${chunk + 1}${providerId === null ? '' : ` ${providerId}`}`]),
    ...(deliveryId === null ? [] : [deliveryId]),
  ]);
  const beside = others === 0 ? [] : [`${others} other emails`];
  return [
    {
      at: line.at,
      step: line.requestId === null ? 'worker' : 'request',
      id: line.requestId ?? '',
      detail: [
        ...(line.queue === null ? [] : [line.queue]),
        `${line.durationMs} ms`,
        ...new Set(parts),
        ...beside,
      ].join(', '),
    },
  ];
}

/** The id of a request is the customer's to choose: a line that has the email's id there alone is of another one. */
function logStep({ at, text }: FoundLine, { emailId }: Traced): Step[] {
  const { request_id, ...line } = jsonLine(text);
  if (typeof line.event !== 'string' || !JSON.stringify(line).includes(emailId)) return [];
  const detail = Object.entries({ request_id, ...line })
    .filter(([name, value]) => !unsaid.has(name) && ['string', 'number'].includes(typeof value))
    .map(([name, value]) => `${name} ${String(value)}`);
  const heading = runbookHeadings.find((one) => one === line.runbook);
  return [
    { at, step: `log ${line.event}`, id: '', detail: detail.join(', '), ...(heading && section(heading)) },
  ];
}
