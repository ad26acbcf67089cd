/**
 * The canary: an email of the deployment to itself, through SES, the receipt rule and a webhook (docs/administration.md#the-canary). Each
 * run looks at what became of the email of the run before, removes it, and sends the next one.
 */
import { now } from '../../adapters/clock.ts';
import { directionOf, type EmailHead } from '../../core/emails/email.ts';
import type { EndpointId, WorkspaceId } from '../../core/ids.ts';
import { defaultPacing } from '../../core/pacing/rule.ts';
import { Problem } from '../../core/problems.ts';
import { env } from '../../env.ts';
import { count, observe } from '../../observability/count.ts';
import { logEvent } from '../../observability/log.ts';
import { listDeliveries as listStoredDeliveries } from '../../storage/webhooks/delivery-lists.ts';
import { listEmails } from '../reading/emails.ts';
import { acceptEmail } from '../sending/accept-email.ts';
import { resolveSender } from '../sending/resolve-sender.ts';
import { deleteThread } from '../teardown/delete-mail.ts';
import { createEndpoint, listEndpoints, updateEndpoint } from '../webhooks/endpoints.ts';
import { createWorkspace, findWorkspace } from '../workspaces/workspaces.ts';
import { canarySlug } from './canary-slug.ts';

/** A second run this soon is a repetition: EventBridge Scheduler and Lambda invoke at least once. */
const repetitionMs = 30_000;
/** Emails that wait, such as while SES takes none, before no more are sent. */
const waitingMax = 10;

/**
 * Checks the email of the last run and sends another one.
 *
 * @param apiUrl base URL of the API; empty: webhooks are not checked
 * @throws Problem where none is accepted
 */
export async function runCanary(apiUrl: string): Promise<void> {
  const found = await findWorkspace(canarySlug);
  // Its slug is free when everything in it is removed.
  if (found && found.erasedAt !== null) return;
  const { id } = found ?? (await createWorkspace({ slug: canarySlug, name: 'Canary' }));
  const endpointId = apiUrl === '' ? null : await endpointOf(id, `${apiUrl}/canary`);
  const { items } = await listEmails(id, {}, { limit: 100, after: null });
  const sent = items.find(({ status }) => directionOf(status) === 'outbound');
  if (sent && now() - sent.createdAt < repetitionMs) return;
  if (sent) await judge(id, sent, items, endpointId);
  const waiting = await removeAll(id, items);
  if (waiting < waitingMax) await send(id);
}

/** The endpoint of the deployment's own receiver. */
async function endpointOf(workspaceId: WorkspaceId, url: string): Promise<EndpointId> {
  const [first] = (await listEndpoints(workspaceId, { limit: 1, after: null })).items;
  if (first && first.url !== url) await updateEndpoint(workspaceId, first.id, { url });
  if (first) return first.id;
  const settings = { url, enabled: true, routing: [], maxConcurrency: 1 };
  const { endpoint } = await createEndpoint(workspaceId, { ...settings, subscriptions: ['email.received'] });
  return endpoint.id;
}

/** Counts whether an email has come back and was announced, and how long that took. */
async function judge(
  workspaceId: WorkspaceId,
  sent: EmailHead,
  heads: readonly EmailHead[],
  endpointId: EndpointId | null,
): Promise<void> {
  const received = heads.find(
    ({ status, threadId }) => directionOf(status) === 'inbound' && threadId === sent.threadId,
  );
  if (!received) return missed(sent, sent.sentAt === null ? 'not_sent' : 'not_received');
  if (endpointId !== null) {
    const announcedAt = await announcementOf(workspaceId, endpointId, received);
    if (announcedAt === null) return missed(sent, 'not_announced');
    observe('CanaryAnnounced', announcedAt - received.createdAt);
  }
  observe('CanaryReceived', received.createdAt - sent.createdAt);
  count('CanaryArrived', null);
}

function missed({ id }: EmailHead, cause: 'not_sent' | 'not_received' | 'not_announced'): void {
  logEvent('canary.missed', { email_id: id, cause });
}

/** When the receiver took the webhook about a received email; null: it has not. */
async function announcementOf(
  workspaceId: WorkspaceId,
  endpointId: EndpointId,
  { id }: EmailHead,
): Promise<number | null> {
  const paging = { limit: 10, after: null };
  const { items } = await listStoredDeliveries(workspaceId, endpointId, 'delivered', paging);
  const found = items.find(({ body }) => body?.includes(id));
  return found?.delivery.attempts.at(-1)?.attemptedAt ?? null;
}

/** Deletes the mail of earlier runs. @returns how many emails are not sent yet, which cannot be deleted */
async function removeAll(workspaceId: WorkspaceId, heads: readonly EmailHead[]): Promise<number> {
  let waiting = 0;
  for (const threadId of new Set(heads.map((head) => head.threadId))) {
    try {
      await deleteThread(workspaceId, threadId, 'operator');
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
      if (error.code === 'email_in_progress') waiting += 1;
      else if (error.code !== 'thread_not_found') throw error;
    }
  }
  return waiting;
}

async function send(workspaceId: WorkspaceId): Promise<void> {
  const address = `canary@${canarySlug}.${env().PROVIDED_DOMAIN}`;
  const from = { name: null, address };
  await acceptEmail(
    { workspaceId, scope: 'full', actor: 'member:canary' },
    {
      sender: await resolveSender(workspaceId, from),
      from,
      to: [from],
      ...{ cc: [], bcc: [], replyTo: [], headers: [], attachments: [], carried: [] },
      subject: 'Canary',
      html: null,
      text: 'This email checks that mail goes out, comes back and is announced.',
      suppressionKey: null,
      unsubscribe: false,
      pacing: defaultPacing,
      baseUrl: env().API_BASE_URL,
      scheduledAt: null,
      forwardOf: null,
    },
    null,
    null,
  );
}
