/** `users.messages`, `users.labels` and `users.getProfile` of the Gmail API. */
import type { HttpResponse } from '../../http-server.ts';
import { emptyResponse, jsonOf, jsonResponse, type ProviderCall } from '../http.ts';
import type { ProviderRoutes } from '../provider-server.ts';
import { accessOf, invalidArgument, modifyingScopes, notFound, readingScopes } from './gmail-access.ts';
import type { GmailMessage } from './gmail-mailbox.ts';
import { gmailQuery } from './gmail-query.ts';
import type { GoogleState } from './state.ts';

const service = 'gmail';
const base = '/gmail/v1/users/{userId}';

/** System labels ("Manage labels"). */
const systemLabels = ['INBOX', 'SENT', 'DRAFT', 'SPAM', 'TRASH', 'UNREAD', 'STARRED', 'IMPORTANT', 'CHAT'];
/** Labels that are set by Gmail only. */
const fixedLabels: readonly string[] = ['SENT', 'DRAFT', 'CHAT'];

export function gmailMessageRoutes(google: GoogleState): ProviderRoutes {
  return {
    [`GET ${base}/profile`]: { service, action: 'getProfile', handle: (call) => profile(google, call) },
    [`GET ${base}/labels`]: {
      service,
      action: 'labels.list',
      handle: (call) => {
        accessOf(google, call, [...readingScopes, 'labels']);
        return jsonResponse(200, { labels: systemLabels.map((id) => ({ id, name: id, type: 'system' })) });
      },
    },
    [`GET ${base}/messages`]: { service, action: 'messages.list', handle: (call) => list(google, call) },
    [`GET ${base}/messages/{id}`]: { service, action: 'messages.get', handle: (call) => get(google, call) },
    [`POST ${base}/messages/{id}/modify`]: {
      service,
      action: 'messages.modify',
      handle: (call) => {
        const { addLabelIds = [], removeLabelIds = [] } = jsonOf(call) ?? {};
        return relabel(google, call, labelsOf(addLabelIds), labelsOf(removeLabelIds));
      },
    },
    [`POST ${base}/messages/{id}/trash`]: {
      service,
      action: 'messages.trash',
      handle: (call) => relabel(google, call, ['TRASH'], ['INBOX']),
    },
    [`POST ${base}/messages/{id}/untrash`]: {
      service,
      action: 'messages.untrash',
      handle: (call) => relabel(google, call, [], ['TRASH']),
    },
    [`DELETE ${base}/messages/{id}`]: {
      service,
      action: 'messages.delete',
      handle: (call) => {
        const { mailbox } = accessOf(google, call, ['mail.google.com']);
        if (!mailbox.remove(call.parameters.id ?? '')) throw notFound();
        return emptyResponse(204);
      },
    },
  };
}

function profile(google: GoogleState, call: ProviderCall): HttpResponse {
  const { mailbox } = accessOf(google, call, [...readingScopes, 'compose']);
  const messages = mailbox.messages();
  return jsonResponse(200, {
    emailAddress: mailbox.address,
    messagesTotal: messages.length,
    threadsTotal: new Set(messages.map(({ threadId }) => threadId)).size,
    historyId: String(mailbox.historyId()),
  });
}

/** A whole number of a query, within bounds; above the maximum: the maximum. @throws Refusal */
export function countOf(call: ProviderCall, name: string, byDefault: number, max: number): number {
  const text = call.query.get(name);
  if (text === null) return byDefault;
  if (!/^\d{1,9}$/.test(text)) throw invalidArgument(`Invalid value at '${name}': "${text}"`);
  return Math.min(Number(text) || byDefault, max);
}

function list(google: GoogleState, call: ProviderCall): HttpResponse {
  const { mailbox, seesMetadataOnly } = accessOf(google, call, readingScopes);
  const q = call.query.get('q') ?? '';
  if (q !== '' && seesMetadataOnly) throw invalidArgument("Metadata scope does not support 'q' parameter");
  const query = gmailQuery(q);
  if (query === null) throw invalidArgument(`The local Gmail does not model this query: ${q}`);
  const labels = call.query.getAll('labelIds');
  const hidden =
    call.query.get('includeSpamTrash') === 'true' || query.namesSpamOrTrash
      ? []
      : ['SPAM', 'TRASH'].filter((label) => !labels.includes(label));
  const matching = mailbox
    .messages()
    .filter(({ labelIds }) => labels.every((label) => labelIds.includes(label)))
    .filter(({ labelIds }) => !hidden.some((label) => labelIds.includes(label)))
    .filter(query.matches);
  const max = countOf(call, 'maxResults', 100, 500);
  const from = startOf(matching, call.query.get('pageToken'));
  const page = matching.slice(from, from + max);
  const last = page.at(-1);
  return jsonResponse(200, {
    ...(page.length > 0 && { messages: page.map(({ id, threadId }) => ({ id, threadId })) }),
    ...(last && from + max < matching.length && { nextPageToken: tokenOf(last) }),
    resultSizeEstimate: matching.length,
  });
}

/** A page token names the last message of its page by time and id, so that new messages shift nothing. */
function tokenOf({ internalDate, id }: GmailMessage): string {
  return Buffer.from(`${internalDate} ${id}`).toString('base64url');
}

function startOf(messages: readonly GmailMessage[], pageToken: string | null): number {
  if (pageToken === null) return 0;
  const [date = '', id = ''] = Buffer.from(pageToken, 'base64url').toString().split(' ');
  if (!/^\d+$/.test(date)) throw invalidArgument('Invalid pageToken');
  const last = messages.findIndex((message) => message.id === id);
  if (last >= 0) return last + 1;
  const next = messages.findIndex(({ internalDate }) => internalDate < Number(date));
  return next < 0 ? messages.length : next;
}

function get(google: GoogleState, call: ProviderCall): HttpResponse {
  const { mailbox, seesMetadataOnly } = accessOf(google, call, readingScopes);
  const message = mailbox.find(call.parameters.id ?? '');
  const format = call.query.get('format') ?? 'full';
  if (seesMetadataOnly && format !== 'metadata' && format !== 'minimal') {
    throw invalidArgument(`Metadata scope doesn't allow format ${format.toUpperCase()}`);
  }
  if (!message) throw notFound();
  const common = {
    id: message.id,
    threadId: message.threadId,
    labelIds: message.labelIds,
    snippet: '',
    historyId: String(message.historyId),
    internalDate: String(message.internalDate),
    sizeEstimate: message.raw.length,
  };
  switch (format.toLowerCase()) {
    case 'minimal':
      return jsonResponse(200, common);
    case 'raw':
      return jsonResponse(200, { ...common, raw: message.raw.toString('base64url') });
    case 'metadata':
      return jsonResponse(200, { ...common, payload: { headers: headersOf(message, call) } });
    default:
      throw invalidArgument(`The local Gmail does not model format=${format}`);
  }
}

/** All header fields, or those of `metadataHeaders`. */
function headersOf({ facts }: GmailMessage, call: ProviderCall) {
  const names = call.query.getAll('metadataHeaders').map((name) => name.toLowerCase());
  return facts.fields
    .filter(({ name }) => names.length === 0 || names.includes(name.toLowerCase()))
    .map(({ name, value }) => ({ name, value }));
}

function labelsOf(value: unknown): readonly string[] {
  const labels = Array.isArray(value) ? value.filter((label) => typeof label === 'string') : [];
  const wrong = labels.find((label) => !systemLabels.includes(label) || fixedLabels.includes(label));
  if (wrong !== undefined) throw invalidArgument(`Invalid label: ${wrong}`);
  return labels;
}

function relabel(
  google: GoogleState,
  call: ProviderCall,
  add: readonly string[],
  remove: readonly string[],
): HttpResponse {
  const { mailbox } = accessOf(google, call, modifyingScopes);
  const message = mailbox.relabel(call.parameters.id ?? '', { add, remove });
  if (!message) throw notFound();
  const { id, threadId, labelIds } = message;
  return jsonResponse(200, { id, threadId, labelIds });
}
