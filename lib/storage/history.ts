/** The history of an email: one entry for each submission outcome, report and suppression. */
import {
  bounceTypes,
  type HistoryEntry,
  type HistoryEntryId,
  historyTypes,
  optOutSources,
  parseHistoryEntryId,
  type RecipientFacts,
  type ReportFacts,
} from '../core/email.ts';
import type { EmailId, WorkspaceId } from '../core/ids.ts';
import type { StoredEntry } from '../core/sent-entries.ts';
import { suppressionScopes } from '../core/suppression-scope.ts';
import {
  codec,
  type Field,
  fail,
  flag,
  list,
  nullable,
  number,
  object,
  oneOf,
  optional,
  sortKey,
  text,
} from './codec.ts';
import { historyKey, historyPrefix } from './keys.ts';
import type { Item } from './table.ts';
import { createdOnce, type Write } from './transactions.ts';

export const historyCodec = codec<HistoryEntry>('history entry', {
  type: oneOf(historyTypes),
  at: number,
  recipients: list(text),
  detail: nullable(text),
  permanent: optional(flag),
  isRefused: optional(flag),
  facts: optional(
    object<ReportFacts>({
      bounceType: optional(oneOf(bounceTypes)),
      bounceSubType: optional(text),
      feedbackId: optional(text),
      userAgent: optional(text),
      processingTimeMs: optional(number),
      remoteMtaIp: optional(text),
      recipients: optional(
        list(
          object<RecipientFacts>({
            action: optional(text),
            status: optional(text),
            diagnosticCode: optional(text),
          }),
        ),
      ),
    }),
  ),
  optOut: optional(
    object<NonNullable<HistoryEntry['optOut']>>({
      scope: oneOf(suppressionScopes),
      source: oneOf(optOutSources),
    }),
  ),
});

const entryId: Field<HistoryEntryId> = {
  read: (stored) => parseHistoryEntryId(text.read(stored)) ?? fail('a history entry id'),
  write: (value) => value,
};
const entryIdCodec = codec<{ readonly id: HistoryEntryId }>('history entry', {
  id: sortKey(entryId, historyPrefix),
});

/** For stores only. */
export function storedEntry(item: Item): StoredEntry {
  return { ...entryIdCodec.decode(item), entry: historyCodec.decode(item) };
}

/** The write of a history entry, named `history`. Its condition fails where the entry exists: the report is a repetition. */
export function addHistoryEntry(
  workspaceId: WorkspaceId,
  id: EmailId,
  entryId: HistoryEntryId,
  entry: HistoryEntry,
): Write {
  return {
    as: 'history',
    put: { ...historyKey(workspaceId, id, entryId), ...historyCodec.encode(entry) },
    ...createdOnce,
  };
}
