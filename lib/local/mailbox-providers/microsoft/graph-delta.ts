/** Delta queries of the messages of a folder ("Get incremental changes to messages in a folder"; "message: delta"). */
import type { HttpResponse } from '../../http-server.ts';
import { jsonResponse, type ProviderCall } from '../http.ts';
import type { ProviderRoutes } from '../provider-server.ts';
import { graphError, notModelled } from './errors.ts';
import { accessOf, prefersImmutableIds, presentMessage, readingScopes, selectOf } from './graph-access.ts';
import { graphFilter } from './graph-filter.ts';
import type { ChangeType, FolderChange, FolderName, GraphMailbox, GraphMessage } from './graph-mailbox.ts';
import { countOf, folderOf } from './graph-messages.ts';
import type { MicrosoftState } from './state.ts';

/** What a state token holds: the parameters of the first request, and how far the round is. Opaque to the client. */
interface State {
  readonly mailbox: string;
  readonly folder: FolderName;
  readonly generation: number;
  readonly select: readonly string[];
  readonly filter: string | null;
  readonly changeType: ChangeType | null;
  readonly top: number;
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
  const token = call.query.get('$skiptoken') ?? call.query.get('$deltatoken');
  const state =
    token === null
      ? firstState(microsoft, mailbox, folder, call)
      : laterState(microsoft, mailbox, folder, call, token);
  const entries = state.since === null ? firstRound(mailbox, state) : laterRound(mailbox, state, state.since);
  const options = { isImmutable: prefersImmutableIds(call), select: state.select };
  const size = pageSizeOf(call) ?? state.top;
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
    value: page.map(({ message, isRemoved }) => ({
      '@odata.type': '#microsoft.graph.message',
      ...(isRemoved
        ? { id: options.isImmutable ? message.immutableId : message.id, '@removed': { reason: 'deleted' } }
        : presentMessage(mailbox, message, options)),
    })),
  });
}

interface Entry {
  readonly message: GraphMessage;
  readonly isRemoved: boolean;
}

function firstRound(mailbox: GraphMailbox, { folder, filter }: State): readonly Entry[] {
  const matches = filter === null ? null : graphFilter(filter)?.matches;
  const messages = mailbox.messages(folder).filter((message) => matches?.(message) ?? true);
  const shown = filter === null ? messages : messages.slice(0, filteredMax);
  return shown.map((message) => ({ message, isRemoved: false }));
}

/** Each message once, as it is now. */
function laterRound(mailbox: GraphMailbox, state: State, since: number): readonly Entry[] {
  const matches = state.filter === null ? null : graphFilter(state.filter)?.matches;
  const changes = mailbox.changesSince(state.folder, since).filter(({ sequence }) => sequence <= state.until);
  const byMessage = Map.groupBy(changes, ({ message }) => message.immutableId);
  return [...byMessage.values()].flatMap((ofMessage) => {
    const last = ofMessage.at(-1);
    if (!last || !isWanted(state.changeType, ofMessage, last)) return [];
    const isRemoved = last.type === 'deleted';
    // Created and deleted within the round: the client never saw it.
    if (isRemoved && ofMessage[0]?.type === 'created') return [];
    if (!isRemoved && matches && !matches(last.message)) return [];
    return [{ message: last.message, isRemoved }];
  });
}

function isWanted(
  changeType: ChangeType | null,
  ofMessage: readonly FolderChange[],
  last: FolderChange,
): boolean {
  if (changeType === null) return true;
  if (last.type === 'deleted') return changeType === 'deleted';
  const isCreated = ofMessage.some(({ type }) => type === 'created');
  return changeType === (isCreated ? 'created' : 'updated');
}

function firstState(
  microsoft: MicrosoftState,
  mailbox: GraphMailbox,
  folder: FolderName,
  { query }: ProviderCall,
): State {
  const changeType = query.get('changeType');
  if (
    changeType !== null &&
    changeType !== 'created' &&
    changeType !== 'updated' &&
    changeType !== 'deleted'
  ) {
    throw graphError(microsoft, 400, 'ErrorInvalidUrlQuery', `changeType '${changeType}' is not valid.`);
  }
  const filter = query.get('$filter');
  if (filter !== null && !/^receivedDateTime (ge|gt) \S+$/.test(filter)) {
    throw notModelled(microsoft, `$filter=${filter} in delta queries, as Outlook does not support it`);
  }
  if (filter !== null && graphFilter(filter) === null) throw notModelled(microsoft, `$filter=${filter}`);
  const orderBy = query.get('$orderby');
  if (orderBy !== null && orderBy !== 'receivedDateTime desc') {
    throw notModelled(microsoft, `$orderby=${orderBy} in delta queries, as Outlook does not support it`);
  }
  const { sequence, generation } = mailbox.position();
  return {
    mailbox: mailbox.address,
    folder,
    generation,
    select: selectOf(query.get('$select')),
    filter,
    changeType,
    top: countOf(microsoft, query.get('$top'), 10, 1000) || 10,
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
  token: string,
): State {
  const state = decodedState(token);
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

/** `Prefer: odata.maxpagesize=N`. */
function pageSizeOf({ headers }: ProviderCall): number | null {
  const [, size] = /\bodata\.maxpagesize\s*=\s*(\d{1,4})/i.exec(headers.prefer ?? '') ?? [];
  return size === undefined ? null : Math.max(1, Number(size));
}
