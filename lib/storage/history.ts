/** The history of an email: one entry for each submission outcome, report and suppression. */
import { type HistoryEntry, type HistoryEntryId, historyTypes, optOutSources } from '../core/email.ts';
import type { EmailId, WorkspaceId } from '../core/ids.ts';
import { suppressionScopes } from '../core/suppression-scope.ts';
import { codec, flag, list, nullable, number, object, oneOf, optional, text } from './codec.ts';
import { historyKey } from './keys.ts';
import { createdOnce, type Write } from './transactions.ts';

export const historyCodec = codec<HistoryEntry>('history entry', {
  type: oneOf(historyTypes),
  at: number,
  recipients: list(text),
  detail: nullable(text),
  permanent: optional(flag),
  isRefused: optional(flag),
  optOut: optional(
    object<NonNullable<HistoryEntry['optOut']>>({
      scope: oneOf(suppressionScopes),
      source: oneOf(optOutSources),
    }),
  ),
});

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
