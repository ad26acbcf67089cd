/** `users.messages` and `users.getProfile` of the Gmail API. */
import type { HttpResponse } from '../../http-server.ts';
import { jsonResponse, type ProviderCall } from '../http.ts';
import type { ProviderRoutes } from '../provider-server.ts';
import { accessOf, invalidArgument, notFound, readingScopes } from './gmail-access.ts';
import type { GmailMessage } from './gmail-mailbox.ts';
import { gmailQuery } from './gmail-query.ts';
import type { GoogleState } from './state.ts';

const service = 'gmail';
const base = '/gmail/v1/users/{userId}';

export function gmailMessageRoutes(google: GoogleState): ProviderRoutes {
  return {
    [`GET ${base}/profile`]: { service, action: 'getProfile', handle: (call) => profile(google, call) },
    [`GET ${base}/messages`]: { service, action: 'messages.list', handle: (call) => list(google, call) },
    [`GET ${base}/messages/{id}`]: { service, action: 'messages.get', handle: (call) => get(google, call) },
  };
}

function profile(google: GoogleState, call: ProviderCall): HttpResponse {
  const { mailbox } = accessOf(google, call, readingScopes);
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
  const { mailbox } = accessOf(google, call, readingScopes);
  const q = call.query.get('q') ?? '';
  const query = gmailQuery(q);
  if (query === null) throw invalidArgument(`The local Gmail does not model this query: ${q}`);
  const matching = mailbox
    .messages()
    .filter(({ labelIds }) => !labelIds.includes('SPAM') && !labelIds.includes('TRASH'))
    .filter(query);
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
  const { mailbox } = accessOf(google, call, readingScopes);
  const message = mailbox.find(call.parameters.id ?? '');
  const format = call.query.get('format') ?? 'full';
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
