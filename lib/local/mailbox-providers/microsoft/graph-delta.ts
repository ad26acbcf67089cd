/** Delta queries for the new messages of a folder ("Get incremental changes to messages in a folder"; "message: delta"). */
import type { HttpResponse } from '../../http-server.ts';
import { jsonResponse, type ProviderCall } from '../http.ts';
import type { ProviderRoutes } from '../provider-server.ts';
import { graphError, notModelled } from './errors.ts';
import { accessOf, prefersImmutableIds, presentMessage, readingScopes, selectOf } from './graph-access.ts';
import { graphFilter } from './graph-filter.ts';
import type { FolderName, GraphMailbox, GraphMessage } from './graph-mailbox.ts';
import { folderOf } from './graph-messages.ts';
import type { MicrosoftState } from './state.ts';

/** What a state token holds: the parameters of the first request, and how far the round is. Opaque to the client. */
interface State {
  readonly mailbox: string;
  readonly folder: FolderName;
  readonly generation: number;
  readonly select: readonly string[];
  readonly filter: string | null;
  /** Changes after this number are of this round; null: the first round, which lists all messages. */
  readonly since: number | null;
  /** Changes up to this number are of this round. */
  readonly until: number;
  /** Number of entries on the pages before. */
  readonly offset: number;
}

/** "Applying $filter in a delta query returns only up to 5,000 messages." */
const filteredMax = 5_000;

export function graphDeltaRoutes(microsoft: MicrosoftState): ProviderRoutes {
  const handle = (call: ProviderCall) => delta(microsoft, call);
  return {
    'GET /v1.0/me/mailFolders/{folder}/messages/delta': {
      service: 'graph',
      action: 'messages.delta',
      handle,
    },
  };
}

function delta(microsoft: MicrosoftState, call: ProviderCall): HttpResponse {
  const { mailbox } = accessOf(microsoft, call, readingScopes);
  const folder = folderOf(microsoft, mailbox, call);
  const state =
    call.query.has('$skiptoken') || call.query.has('$deltatoken')
      ? laterState(microsoft, mailbox, folder, call)
      : firstState(microsoft, mailbox, folder, call);
  const entries = messagesOf(mailbox, state);
  const options = { isImmutable: prefersImmutableIds(call), select: state.select };
  const size = pageSizeOf(call);
  const page = entries.slice(state.offset, state.offset + size);
  const offset = state.offset + page.length;
  const link =
    offset < entries.length
      ? { '@odata.nextLink': linkOf(microsoft, mailbox, '$skiptoken', { ...state, offset }) }
      : {
          '@odata.deltaLink': linkOf(microsoft, mailbox, '$deltatoken', {
            ...state,
            since: state.until,
            offset: 0,
          }),
        };
  return jsonResponse(200, {
    '@odata.context': `${microsoft.url()}/v1.0/$metadata#Collection(message)`,
    ...link,
    value: page.map((message) => presentMessage(mailbox, message, options)),
  });
}

/** The first round lists all messages; a later one those that have come into the folder since, as they are now. */
function messagesOf(mailbox: GraphMailbox, { folder, filter, since, until }: State): readonly GraphMessage[] {
  const matches = (message: GraphMessage) =>
    filter === null || graphFilter(filter)?.matches(message) === true;
  if (since === null) {
    const messages = mailbox.messages(folder).filter(matches);
    return filter === null ? messages : messages.slice(0, filteredMax);
  }
  const changes = mailbox.changesSince(folder, since).filter(({ sequence }) => sequence <= until);
  const last = new Map(changes.map((change) => [change.message.immutableId, change]));
  return [...last.values()]
    .filter(({ type }) => type === 'created')
    .map(({ message }) => message)
    .filter(matches);
}

function firstState(
  microsoft: MicrosoftState,
  mailbox: GraphMailbox,
  folder: FolderName,
  { query }: ProviderCall,
): State {
  if (query.get('changeType') !== 'created')
    throw notModelled(microsoft, 'changes but those of new messages');
  const filter = query.get('$filter');
  if (filter !== null && graphFilter(filter)?.property !== 'receivedDateTime') {
    throw notModelled(microsoft, `$filter=${filter} in delta queries, as Outlook does not support it`);
  }
  const { sequence, generation } = mailbox.position();
  return {
    mailbox: mailbox.address,
    folder,
    generation,
    select: selectOf(query.get('$select')),
    filter,
    since: null,
    until: sequence,
    offset: 0,
  };
}

/** @throws Refusal 410 where the token is too old, 400 where it is none of this folder */
function laterState(
  microsoft: MicrosoftState,
  mailbox: GraphMailbox,
  folder: FolderName,
  { query }: ProviderCall,
): State {
  const state = decodedState(query.get('$skiptoken') ?? query.get('$deltatoken') ?? '');
  if (state?.mailbox !== mailbox.address || state.folder !== folder) {
    throw graphError(microsoft, 400, 'ErrorInvalidUrlQuery', 'Badly formed token.');
  }
  const { sequence, generation } = mailbox.position();
  if (state.generation !== generation) {
    const message = `The sync state generation is not found; generation: ${state.generation}.`;
    throw graphError(microsoft, 410, 'SyncStateNotFound', message);
  }
  return query.has('$skiptoken') ? state : { ...state, until: sequence };
}

function decodedState(token: string): State | null {
  try {
    return JSON.parse(Buffer.from(token, 'base64url').toString()) as State;
  } catch {
    return null;
  }
}

function linkOf(
  { url }: MicrosoftState,
  mailbox: GraphMailbox,
  parameter: '$skiptoken' | '$deltatoken',
  state: State,
): string {
  const token = Buffer.from(JSON.stringify(state)).toString('base64url');
  const folder = encodeURIComponent(mailbox.folderId(state.folder));
  return `${url()}/v1.0/me/mailFolders/${folder}/messages/delta?${parameter}=${token}`;
}

/** `Prefer: odata.maxpagesize=N`; default 10. */
function pageSizeOf({ headers }: ProviderCall): number {
  const [, size = 10] = /\bodata\.maxpagesize\s*=\s*(\d{1,4})/i.exec(headers.prefer ?? '') ?? [];
  return Math.max(1, Number(size));
}
