/** One emulated Gmail mailbox: messages, labels, threads and history. In memory; times are Unix milliseconds. */
import { baseSubject, factsOf, isMarkedSpam, type MailFacts } from '../mail-facts.ts';
import type { RandomText } from '../random-text.ts';
import { createHistoryLog, type HistoryRecord } from './history-log.ts';

export interface GmailMessage {
  /** 16 hexadecimal digits. */
  readonly id: string;
  /** The id of the first message of the thread. */
  readonly threadId: string;
  readonly labelIds: readonly string[];
  /** Of the last change. */
  readonly historyId: number;
  readonly internalDate: number;
  readonly raw: Buffer;
  readonly facts: MailFacts;
}

export interface GmailMailbox {
  readonly address: string;
  historyId(): number;
  /** Newest first. */
  messages(): readonly GmailMessage[];
  find(id: string): GmailMessage | undefined;
  hasThread(threadId: string): boolean;
  /** Puts a message into the mailbox. @param threadId the thread that it is to join, if its headers match */
  add(raw: Buffer, labelIds: readonly string[], threadId: string | null): GmailMessage;
  /** Receives a message: into the inbox, or into spam. A message that is there already gets the labels only. */
  receive(raw: Buffer): void;
  /** null: there is no such message. */
  relabel(
    id: string,
    change: { readonly add: readonly string[]; readonly remove: readonly string[] },
  ): GmailMessage | null;
  remove(id: string): boolean;
  /** Records after a history id, oldest first; null: the id is out of date, or unknown. */
  historySince(historyId: number): readonly HistoryRecord[] | null;
  /** Forgets all records, as Gmail sometimes does within hours; returns the first history id that is valid. */
  forgetHistory(): number;
}

export interface GmailMailboxOptions {
  readonly address: string;
  readonly now: () => number;
  readonly text: RandomText;
  /** Called after each change. */
  readonly onChange: (record: HistoryRecord) => void;
}

export function createGmailMailbox({ address, now, text, onChange }: GmailMailboxOptions): GmailMailbox {
  const messages = new Map<string, GmailMessage>();
  /** Ids of the messages by Message-ID. */
  const ids = new Map<string, string>();
  const history = createHistoryLog({ now, text, onChange });

  const byMessageId = (messageId: string | null) => messages.get(ids.get(messageId ?? '') ?? '');
  /** The message that is answered by the rules of "Manage threads" (Gmail API): it is referred to, and the subjects match. */
  const answered = (facts: MailFacts): readonly GmailMessage[] =>
    facts.references
      .map(byMessageId)
      .filter((other) => other !== undefined)
      .filter((other) => baseSubject(other.facts.subject) === baseSubject(facts.subject));

  const insert = (raw: Buffer, facts: MailFacts, labelIds: readonly string[], threadId: string | null) => {
    const id = text.hex(16);
    const message: GmailMessage = {
      id,
      threadId: threadId ?? id,
      labelIds,
      historyId: history.nextId(),
      internalDate: Math.floor(now()),
      raw,
      facts,
    };
    messages.set(id, message);
    if (facts.messageId !== null) ids.set(facts.messageId, id);
    history.record('messageAdded', message, message.historyId);
    return message;
  };

  const relabel: GmailMailbox['relabel'] = (id, { add, remove }) => {
    const message = messages.get(id);
    if (!message) return null;
    const removed = message.labelIds.filter((label) => remove.includes(label));
    const kept = message.labelIds.filter((label) => !remove.includes(label));
    const added = add.filter((label) => !kept.includes(label));
    if (added.length + removed.length === 0) return message;
    const changed = { ...message, labelIds: [...kept, ...added], historyId: history.nextId() };
    messages.set(id, changed);
    if (removed.length > 0) history.record('labelRemoved', changed, changed.historyId, removed);
    if (added.length > 0) {
      history.record('labelAdded', changed, removed.length > 0 ? history.nextId() : changed.historyId, added);
    }
    return changed;
  };

  return {
    address,
    historyId: history.lastId,
    messages: () => [...messages.values()].reverse(),
    find: (id) => messages.get(id),
    hasThread: (threadId) => [...messages.values()].some((message) => message.threadId === threadId),
    add: (raw, labelIds, threadId) => {
      const facts = factsOf(raw);
      const joins = answered(facts).some((other) => other.threadId === threadId);
      return insert(raw, facts, labelIds, joins ? threadId : null);
    },
    receive: (raw) => {
      const facts = factsOf(raw);
      const labels = [isMarkedSpam(facts) ? 'SPAM' : 'INBOX', 'UNREAD'];
      const twin = byMessageId(facts.messageId);
      if (twin) relabel(twin.id, { add: labels, remove: [] });
      else insert(raw, facts, labels, answered(facts)[0]?.threadId ?? null);
    },
    relabel,
    remove: (id) => {
      const message = messages.get(id);
      if (!message) return false;
      messages.delete(id);
      history.record('messageDeleted', message, history.nextId());
      return true;
    },
    historySince: history.since,
    forgetHistory: history.forget,
  };
}
