/** `/me`, mail folders and messages of Microsoft Graph, version 1.0, except delta queries and sending. */
import type { HttpResponse } from '../../http-server.ts';
import { jsonResponse, type ProviderCall } from '../http.ts';
import type { ProviderRoutes } from '../provider-server.ts';
import { graphError, notModelled } from './errors.ts';
import {
  accessOf,
  itemNotFound,
  messageOf,
  prefersImmutableIds,
  presentMessage,
  readingScopes,
  selectOf,
} from './graph-access.ts';
import { graphFilter } from './graph-filter.ts';
import type { FolderName, GraphMailbox } from './graph-mailbox.ts';
import type { MicrosoftState } from './state.ts';

const service = 'graph';
const me = '/v1.0/me';

export function graphMessageRoutes(microsoft: MicrosoftState): ProviderRoutes {
  const route = (action: string, handle: (call: ProviderCall) => HttpResponse) => ({
    service,
    action,
    handle,
  });
  return {
    [`GET ${me}`]: route('me', (call) => getMe(microsoft, call)),
    [`GET ${me}/mailFolders/{folder}`]: route('mailFolders.get', (call) => {
      const { mailbox } = accessOf(microsoft, call, readingScopes);
      const folder = folderOf(microsoft, mailbox, call);
      return jsonResponse(200, {
        id: mailbox.folderId(folder),
        displayName: folder,
      });
    }),
    [`GET ${me}/messages`]: route('messages.list', (call) => list(microsoft, call)),
    [`GET ${me}/messages/{id}`]: route('messages.get', (call) => {
      const { mailbox } = accessOf(microsoft, call, readingScopes);
      const options = { isImmutable: prefersImmutableIds(call), select: selectOf(call.query.get('$select')) };
      return jsonResponse(200, presentMessage(mailbox, messageOf(microsoft, mailbox, call), options));
    }),
    [`GET ${me}/messages/{id}/$value`]: route('messages.value', (call) => {
      const { mailbox } = accessOf(microsoft, call, readingScopes);
      const { raw } = messageOf(microsoft, mailbox, call);
      return { statusCode: 200, headers: { 'content-type': 'text/plain' }, cookies: [], body: raw };
    }),
  };
}

function getMe(microsoft: MicrosoftState, call: ProviderCall): HttpResponse {
  const { address } = accessOf(microsoft, call, ['User.Read']);
  const account = microsoft.accounts.find(address);
  const user = {
    displayName: account?.name ?? null,
    mail: address,
    userPrincipalName: address,
    id: account?.id ?? '',
  };
  const select = selectOf(call.query.get('$select'));
  const chosen = Object.entries(user).filter(([name]) => select.length === 0 || select.includes(name));
  return jsonResponse(200, Object.fromEntries(chosen));
}

export function folderOf(microsoft: MicrosoftState, mailbox: GraphMailbox, call: ProviderCall): FolderName {
  const folder = mailbox.folderOf(call.parameters.folder ?? '');
  if (folder) return folder;
  throw itemNotFound(microsoft);
}

/** `$top` and the like: a whole number from 1 ("List messages": 1 to 1,000, by default 10). @throws Refusal */
function countOf(microsoft: MicrosoftState, text: string | null, byDefault: number, max: number): number {
  if (text === null) return byDefault;
  const count = Number(text);
  if (Number.isInteger(count) && count >= 0 && count <= max) return count;
  throw graphError(
    microsoft,
    400,
    'ErrorInvalidUrlQuery',
    `The query parameter value '${text}' is not valid.`,
  );
}

function list(microsoft: MicrosoftState, call: ProviderCall): HttpResponse {
  const { mailbox } = accessOf(microsoft, call, readingScopes);
  const { query } = call;
  const filter = filterOf(microsoft, query.get('$filter'), query.get('$orderby'));
  const matching = mailbox.messages().filter((message) => filter?.matches(message) ?? true);
  const top = countOf(microsoft, query.get('$top'), 10, 1000);
  const skip = countOf(microsoft, query.get('$skip'), 0, 1_000_000);
  const options = { isImmutable: prefersImmutableIds(call), select: selectOf(query.get('$select')) };
  const page = matching.slice(skip, skip + top);
  return jsonResponse(200, {
    '@odata.context': `${microsoft.url()}/v1.0/$metadata#Collection(message)`,
    value: page.map((message) => presentMessage(mailbox, message, options)),
    ...(skip + top < matching.length && { '@odata.nextLink': nextLink(microsoft, call, skip + top) }),
  });
}

function nextLink(microsoft: MicrosoftState, call: ProviderCall, skip: number): string {
  const url = new URL(call.target, microsoft.url());
  url.searchParams.set('$skip', String(skip));
  return url.href;
}

/** @throws Refusal for what is not modelled, and for an order that the filter does not begin with ("List messages") */
function filterOf(microsoft: MicrosoftState, text: string | null, orderBy: string | null) {
  if (orderBy !== null && orderBy !== 'receivedDateTime desc') {
    throw notModelled(microsoft, `$orderby=${orderBy}`);
  }
  if (text === null) return null;
  const filter = graphFilter(text);
  if (!filter) throw notModelled(microsoft, `$filter=${text}`);
  if (orderBy !== null && filter.property !== 'receivedDateTime') {
    const message = 'The restriction or sort order is too complex for this operation.';
    throw graphError(microsoft, 400, 'InefficientFilter', message);
  }
  return filter;
}
