/** The history of an email: one entry for each submission outcome, report and suppression. */
import {
  bounceTypes,
  type HistoryEntry,
  type HistoryEntryId,
  historyTypes,
  optOutSources,
  type RecipientFacts,
  type ReportFacts,
  suppressionScopes,
} from '../../core/emails/email.ts';
import type { EmailId, WorkspaceId } from '../../core/ids.ts';
import { codec, flag, list, nullable, number, object, oneOf, optional, text } from '../table/codec.ts';
import { historyKey } from '../table/keys.ts';
import { createdOnceOf, type Write } from '../table/transactions.ts';

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
    ...createdOnceOf(id),
  };
}
