/** `users.history`, `users.watch` and `users.stop` of the Gmail API, and the notifications of a watch. */
import type { HttpResponse } from '../../http-server.ts';
import { emptyResponse, jsonOf, jsonResponse, type ProviderCall } from '../http.ts';
import type { ProviderRoutes } from '../provider-server.ts';
import { accessOf, invalidArgument, notFound, readingScopes } from './gmail-access.ts';
import { countOf } from './gmail-messages.ts';
import type { HistoryRecord } from './history-log.ts';
import { topicForm } from './pubsub.ts';
import type { GoogleState, Watch } from './state.ts';

/** "You must call watch at least once every 7 days" ("Configure push notifications in Gmail API"). */
const watchMs = 7 * 86_400_000;

const service = 'gmail';
const base = '/gmail/v1/users/{userId}';

export function gmailHistoryRoutes(google: GoogleState): ProviderRoutes {
  return {
    [`GET ${base}/history`]: { service, action: 'history.list', handle: (call) => listHistory(google, call) },
    [`POST ${base}/watch`]: { service, action: 'watch', handle: (call) => startWatch(google, call) },
    [`POST ${base}/stop`]: {
      service,
      action: 'stop',
      handle: (call) => {
        const { mailbox, clientId } = accessOf(google, call, readingScopes);
        google.watches.get(mailbox.address)?.delete(clientId);
        return emptyResponse(204);
      },
    },
  };
}

const historyTypes: readonly string[] = ['messageAdded', 'messageDeleted', 'labelAdded', 'labelRemoved'];

function listHistory(google: GoogleState, call: ProviderCall): HttpResponse {
  const { mailbox } = accessOf(google, call, readingScopes);
  const start = call.query.get('startHistoryId') ?? '';
  if (!/^\d{1,15}$/.test(start)) throw invalidArgument('Missing or invalid startHistoryId');
  const types = call.query.getAll('historyTypes');
  const unknown = types.find((type) => !historyTypes.includes(type));
  if (unknown !== undefined) throw invalidArgument(`Invalid value at 'history_types': "${unknown}"`);
  const page = call.query.get('pageToken');
  if (page !== null && !/^\d{1,15}$/.test(page)) throw invalidArgument('Invalid pageToken');
  const records = mailbox.historySince(Number(start));
  if (records === null) throw notFound();
  const matching = records
    .filter(({ id }) => id > Number(page ?? 0))
    .filter(({ type }) => types.length === 0 || types.includes(type));
  const max = countOf(call, 'maxResults', 100, 500);
  const shown = matching.slice(0, max);
  return jsonResponse(200, {
    ...(shown.length > 0 && { history: shown.map(presentRecord) }),
    ...(matching.length > max && { nextPageToken: String(shown.at(-1)?.id) }),
    historyId: String(mailbox.historyId()),
  });
}

function presentRecord({ id, type, message, labelIds }: HistoryRecord) {
  const { id: messageId, threadId } = message;
  const change = {
    messageAdded: { messagesAdded: [{ message }] },
    messageDeleted: { messagesDeleted: [{ message }] },
    labelAdded: { labelsAdded: [{ message, labelIds }] },
    labelRemoved: { labelsRemoved: [{ message, labelIds }] },
  }[type];
  return { id: String(id), messages: [{ id: messageId, threadId }], ...change };
}

function startWatch(google: GoogleState, call: ProviderCall): HttpResponse {
  const { mailbox, clientId } = accessOf(google, call, readingScopes);
  const { topicName, labelIds, labelFilterBehavior, labelFilterAction } = jsonOf(call) ?? {};
  if (typeof topicName !== 'string' || !topicForm.test(topicName)) {
    throw invalidArgument('Invalid topicName does not match projects/[project]/topics/*');
  }
  if (!google.pubSub.hasTopic(topicName)) {
    const name = topicName.split('/').at(-1);
    throw notFound(
      `Error sending test message to Cloud PubSub ${topicName} : Resource not found (resource=${name}).`,
    );
  }
  const labels = Array.isArray(labelIds) ? labelIds.filter((label) => typeof label === 'string') : [];
  const isExcluding = /^exclude$/i.test(String(labelFilterBehavior ?? labelFilterAction ?? 'include'));
  const expiresAt = Math.floor(google.now()) + watchMs;
  const watches = google.watches.get(mailbox.address) ?? new Map<string, Watch>();
  google.watches.set(mailbox.address, watches);
  watches.set(clientId, {
    topic: topicName,
    expiresAt,
    concerns: (of) => labels.length === 0 || labels.some((label) => of.includes(label)) !== isExcluding,
  });
  return jsonResponse(200, { historyId: String(mailbox.historyId()), expiration: String(expiresAt) });
}

/** Publishes a change to the topics of the watches of a mailbox. */
export function notifyWatches(google: GoogleState, address: string, record: HistoryRecord): void {
  for (const [clientId, { topic, expiresAt, concerns }] of google.watches.get(address) ?? []) {
    if (expiresAt <= google.now() || !google.grants.isApproved({ clientId, address, scopes: [] })) continue;
    if (!concerns([...record.message.labelIds, ...record.labelIds])) continue;
    const data = JSON.stringify({ emailAddress: address, historyId: String(record.id) });
    google.pubSub.publish(topic, data, address);
  }
}
