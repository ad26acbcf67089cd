/** One emulated Outlook mailbox: folders, messages, conversations and changes. In memory; times are Unix milliseconds. */
import { baseSubject, factsOf, isMarkedSpam, type MailFacts } from '../mail-facts.ts';
import type { RandomText } from '../random-text.ts';

/** Well-known names ("mailFolder resource type"). */
export const folderNames = [
  'inbox',
  'drafts',
  'sentitems',
  'deleteditems',
  'junkemail',
  'archive',
  'outbox',
] as const;
export type FolderName = (typeof folderNames)[number];

export interface GraphMessage {
  /** Stays when the message is moved ("Obtain immutable identifiers for Outlook resources"). */
  readonly immutableId: string;
  /** Changes when the message is moved. */
  readonly id: string;
  readonly folder: FolderName;
  readonly conversationId: string;
  readonly isDraft: boolean;
  readonly receivedAt: number;
  readonly raw: Buffer;
  readonly facts: MailFacts;
}

/** A change as one folder sees it: a move is a deletion and a creation. */
export interface FolderChange {
  readonly sequence: number;
  readonly folder: FolderName;
  readonly type: 'created' | 'deleted';
  readonly message: GraphMessage;
}

/** What of a message is given when it is put into a folder. */
export interface NewMessage {
  readonly raw: Buffer;
  readonly folder: FolderName;
  readonly isDraft?: boolean;
}

export interface GraphMailbox {
  readonly address: string;
  /** Newest first. */
  messages(folder?: FolderName): readonly GraphMessage[];
  /** By either kind of id. */
  find(id: string): GraphMessage | undefined;
  folderId(name: FolderName): string;
  /** By well-known name or id; null: there is no such folder. */
  folderOf(nameOrId: string): FolderName | null;
  add(message: NewMessage): GraphMessage;
  /** Receives a message into the inbox or the junk folder. */
  receive(raw: Buffer): void;
  move(message: GraphMessage, folder: FolderName): void;
  remove(message: GraphMessage): void;
  /** Positions of delta queries: the number of the last change, and the generation, which changes when they are forgotten. */
  position(): { readonly sequence: number; readonly generation: number };
  changesSince(folder: FolderName, sequence: number): readonly FolderChange[];
  forgetChanges(): void;
}

export interface GraphMailboxOptions {
  readonly address: string;
  readonly now: () => number;
  readonly text: RandomText;
  /** Called for each new message; a message that is moved is none. */
  readonly onCreated: (message: GraphMessage) => void;
}

export function createGraphMailbox({ address, now, text, onCreated }: GraphMailboxOptions): GraphMailbox {
  const newId = (prefix: string) => `${prefix}${text.token(80)}AAA=`;
  const folderIds = new Map(folderNames.map((name) => [name, newId('AAMkADfolder')]));
  /** By immutable id. */
  const messages = new Map<string, GraphMessage>();
  const immutableIds = new Map<string, string>();
  const conversations = new Map<string, string>();
  let changes: FolderChange[] = [];
  let sequence = 0;
  let generation = 1;

  const note = (folder: FolderName, type: FolderChange['type'], message: GraphMessage) => {
    sequence += 1;
    changes.push({ sequence, folder, type, message });
  };
  const store = (message: GraphMessage) => {
    messages.set(message.immutableId, message);
    immutableIds.set(message.id, message.immutableId);
  };
  /** Of the message that is answered; "conversationId" is not documented further: subjects have to match, as in Outlook. */
  const conversationOf = ({ references, subject }: MailFacts): string =>
    references.map((id) => conversations.get(`${id} ${baseSubject(subject)}`)).find((found) => found) ??
    `AAQkAD${text.token(60)}=`;

  const add = ({ raw, folder, isDraft = false }: NewMessage): GraphMessage => {
    const facts = factsOf(raw);
    const conversationId = conversationOf(facts);
    if (facts.messageId !== null) {
      conversations.set(`${facts.messageId} ${baseSubject(facts.subject)}`, conversationId);
    }
    const message: GraphMessage = {
      immutableId: newId('AAkALgAA'),
      id: newId('AAMkAD'),
      folder,
      conversationId,
      isDraft,
      receivedAt: Math.floor(now()),
      raw,
      facts,
    };
    store(message);
    note(folder, 'created', message);
    onCreated(message);
    return message;
  };

  return {
    address,
    messages: (folder) =>
      [...messages.values()]
        .reverse()
        .filter((message) => folder === undefined || message.folder === folder)
        .sort((one, other) => other.receivedAt - one.receivedAt),
    find: (id) => messages.get(immutableIds.get(id) ?? id),
    folderId: (name) => folderIds.get(name) ?? '',
    folderOf: (nameOrId) =>
      folderNames.find((name) => name === nameOrId.toLowerCase() || folderIds.get(name) === nameOrId) ?? null,
    add,
    receive: (raw) => void add({ raw, folder: isMarkedSpam(factsOf(raw)) ? 'junkemail' : 'inbox' }),
    move: (message, folder) => {
      if (folder === message.folder) return;
      const moved: GraphMessage = { ...message, folder, id: newId('AAMkAD') };
      immutableIds.delete(message.id);
      note(message.folder, 'deleted', message);
      store(moved);
      note(folder, 'created', moved);
    },
    remove: (message) => {
      messages.delete(message.immutableId);
      immutableIds.delete(message.id);
      note(message.folder, 'deleted', message);
    },
    position: () => ({ sequence, generation }),
    changesSince: (folder, since) =>
      changes.filter((change) => change.folder === folder && change.sequence > since),
    forgetChanges: () => {
      changes = [];
      generation += 1;
    },
  };
}
