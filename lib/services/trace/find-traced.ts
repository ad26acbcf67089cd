/** The email that an id leads to: by the table, else by the log lines that name emails. */
import { now } from '../../adapters/clock.ts';
import { logPages, termOf } from '../../adapters/log-search.ts';
import { ownEmailId, sesIdOf, wireMessageId } from '../../core/emails/message-ids.ts';
import {
  type DeliveryId,
  type EmailId,
  type EventId,
  emailThatBegan,
  idTime,
  parseId,
  type WorkspaceId,
} from '../../core/ids.ts';
import { allDone } from '../../core/work/all-done.ts';
import { env } from '../../env.ts';
import { findHead } from '../../storage/emails/email-heads.ts';
import { findEmailByMessageId } from '../../storage/emails/message-ids.ts';
import { findDeliveries } from '../../storage/webhooks/deliveries.ts';
import { listAllEndpoints } from '../../storage/webhooks/endpoints.ts';
import { findEvent } from '../../storage/webhooks/events.ts';
import { pagesOfWorkspaceIds } from '../../storage/workspaces/workspaces.ts';
import { invocationLine } from './invocation-line.ts';

export interface Traced {
  readonly workspaceId: WorkspaceId;
  readonly emailId: EmailId;
}

/** How far a search is. */
export interface Searched {
  readonly workspaces: number;
  /** Of the logs. */
  readonly pages: number;
}

/**
 * @param id of an email, an event, a delivery or a request, a Message-ID, or an SES message id
 * @param only the workspace; null: any
 * @returns several of a request that accepted several, 100 at most
 */
export async function findTraced(
  id: string,
  only: WorkspaceId | null,
  report: (searched: Searched) => void,
): Promise<Traced[]> {
  const found = isInTable(id) ? await findInTable(id, only, report) : null;
  return found ? [found] : await findInLogs(id, only, report);
}

/** A request id is in the logs alone. SES's ids end like this. */
const isInTable = (id: string): boolean =>
  /@|-\d{6}$/.test(id) || (['eml', 'evt', 'dlv'] as const).some((prefix) => parseId(prefix, id));

/** Keys of a call ("BatchGetItem" in the Amazon DynamoDB API Reference): reads at the same time are one. */
const workspacesAtOnce = 100;

async function findInTable(
  id: string,
  only: WorkspaceId | null,
  report: (searched: Searched) => void,
): Promise<Traced | null> {
  if (only) return await findInWorkspace(only, id);
  let workspaces = 0;
  for await (const page of pagesOfWorkspaceIds()) {
    for (let start = 0; start < page.length; start += workspacesAtOnce) {
      const some = page.slice(start, start + workspacesAtOnce);
      const found = await allDone(some.map((workspaceId) => findInWorkspace(workspaceId, id)));
      const [first] = found.filter((one) => one !== null);
      if (first) return first;
      workspaces += some.length;
      report({ workspaces, pages: 0 });
    }
  }
  return null;
}

async function findInWorkspace(workspaceId: WorkspaceId, id: string): Promise<Traced | null> {
  const emailId = await emailOf(workspaceId, id);
  return emailId && { workspaceId, emailId };
}

async function emailOf(workspaceId: WorkspaceId, id: string): Promise<EmailId | null> {
  const emailId = parseId('eml', id) ?? ownEmailId(id);
  if (emailId) return (await findHead(workspaceId, emailId))?.id ?? null;
  const eventId = parseId('evt', id);
  if (eventId) return await emailOfEvent(workspaceId, eventId);
  const deliveryId = parseId('dlv', id);
  if (deliveryId) return await emailOfDelivery(workspaceId, deliveryId);
  // An SES message id is the first part of the Message-ID that SES writes.
  const candidates = id.includes('@')
    ? [id.startsWith('<') ? id : `<${id}>`]
    : env().MAIL_REGIONS.map((region) => wireMessageId(region, id));
  const found = await allDone(
    candidates.map((messageId) => findEmailByMessageId(workspaceId, null, messageId)),
  );
  return found.find((one) => one !== null) ?? null;
}

async function emailOfEvent(workspaceId: WorkspaceId, eventId: EventId): Promise<EmailId | null> {
  const subject = (await findEvent(workspaceId, eventId))?.subject;
  if (!subject) return null;
  if ('emailId' in subject) return subject.emailId;
  // Of a new thread.
  return 'threadId' in subject
    ? ((await findHead(workspaceId, emailThatBegan(subject.threadId)))?.id ?? null)
    : null;
}

async function emailOfDelivery(workspaceId: WorkspaceId, id: DeliveryId): Promise<EmailId | null> {
  const endpoints = await listAllEndpoints(workspaceId);
  const found = await allDone(endpoints.map((endpoint) => findDeliveries(workspaceId, endpoint.id, [id])));
  const delivery = found.flat().find((one) => one !== null);
  return delivery ? await emailOfEvent(workspaceId, delivery.eventId) : null;
}

const hourMs = 3_600_000;
/** Support asks for what is recent: the last hour first, then the day, the week, and all that log groups keep. */
const agesMs = [0, 1, 24, 7 * 24, 32 * 24].map((hours) => hours * hourMs);
const emailsMax = 100;

async function findInLogs(
  id: string,
  only: WorkspaceId | null,
  report: (searched: Searched) => void,
): Promise<Traced[]> {
  const sought = id.includes('@') ? sesIdOf(id) : id;
  // Lines name no events.
  if (sought === null || parseId('evt', sought)) return [];
  const found = new Map<EmailId, Traced>();
  let pages = 0;
  for (const time of timesOf(sought)) {
    for await (const page of namedBetween(sought, time)) {
      for (const one of page) if (only === null || one.workspaceId === only) found.set(one.emailId, one);
      pages += 1;
      report({ workspaces: 0, pages });
      if (found.size >= emailsMax) break;
    }
    if (found.size > 0) break;
  }
  return [...found.values()].slice(0, emailsMax);
}

interface Time {
  /** Unix milliseconds. */
  readonly from: number;
  readonly to: number;
}

async function* namedBetween(sought: string, time: Time): AsyncGenerator<readonly Traced[]> {
  const { METRICS_NAMESPACE: prefix, HOME_REGION: region } = env();
  for (const group of [`/${prefix}/api`, `/${prefix}/workers`]) {
    for await (const lines of logPages({ region, group, pattern: termOf(sought), ...time })) {
      yield lines.flatMap(({ text }) => namedBy(text, sought));
    }
  }
}

/** An id with a time is sought in its day. */
function timesOf(sought: string): Time[] {
  const timed = parseId('eml', sought) ?? parseId('dlv', sought);
  if (timed) return [{ from: idTime(timed) - hourMs, to: idTime(timed) + 24 * hourMs }];
  const at = now() + hourMs / 60;
  return agesMs.slice(1).map((age, index) => ({ from: at - age, to: at - (agesMs[index] ?? 0) }));
}

/** The emails of a line that are sought. The customer may choose the id of a request: it counts for what it is only. */
function namedBy(text: string, sought: string): Traced[] {
  const line = invocationLine(text);
  const emails = line?.emails ?? [];
  return emails
    .filter(
      ({ emailId, providerId, deliveryId }) =>
        line?.requestId === sought || [emailId, providerId, deliveryId].includes(sought),
    )
    .map(({ workspaceId, emailId }) => ({ workspaceId, emailId }));
}
