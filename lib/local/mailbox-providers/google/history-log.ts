/** The history of one emulated Gmail mailbox ("Method: users.history.list"). Times are Unix milliseconds. */
import type { RandomText } from '../random-text.ts';

export type HistoryType = 'messageAdded' | 'messageDeleted' | 'labelAdded' | 'labelRemoved';

/** A message in the history. */
interface HistoryMessage {
  readonly id: string;
  readonly threadId: string;
  readonly labelIds: readonly string[];
}

export interface HistoryRecord {
  readonly id: number;
  readonly at: number;
  readonly type: HistoryType;
  /** As it was after the change. */
  readonly message: HistoryMessage;
  /** The labels that were added or removed. */
  readonly labelIds: readonly string[];
}

export interface HistoryLog {
  lastId(): number;
  /** Ids increase with random gaps. */
  nextId(): number;
  record(type: HistoryType, message: HistoryMessage, id: number, labelIds?: readonly string[]): void;
  /** Records after an id, oldest first; null: the id is out of date, or unknown. */
  since(id: number): readonly HistoryRecord[] | null;
  /** Forgets all records; returns the first id that is valid. */
  forget(): number;
}

export interface HistoryLogOptions {
  readonly now: () => number;
  readonly text: RandomText;
  /** Called after each change. */
  readonly onChange: (record: HistoryRecord) => void;
}

/** "A historyId is typically valid for at least a week". */
const historyMs = 7 * 86_400_000;

export function createHistoryLog({ now, text, onChange }: HistoryLogOptions): HistoryLog {
  /** Oldest first. */
  let records: HistoryRecord[] = [];
  let lastId = Number(text.digits(6));
  let firstValidId = lastId;

  const nextId = () => {
    lastId += Number(text.digits(2));
    return lastId;
  };
  const dropOld = () => {
    const kept = records.findIndex(({ at }) => at > now() - historyMs);
    const dropped = records.slice(0, kept < 0 ? records.length : kept);
    firstValidId = dropped.at(-1)?.id ?? firstValidId;
    records = records.slice(dropped.length);
  };

  return {
    lastId: () => lastId,
    nextId,
    record: (type, { id: messageId, threadId, labelIds: labels }, id, labelIds = []) => {
      const message = { id: messageId, threadId, labelIds: labels };
      const entry: HistoryRecord = { id, at: now(), type, message, labelIds };
      records.push(entry);
      onChange(entry);
    },
    since: (id) => {
      dropOld();
      if (id < firstValidId || id > lastId) return null;
      return records.filter((record) => record.id > id);
    },
    forget: () => {
      records = [];
      firstValidId = nextId();
      return firstValidId;
    },
  };
}
