/** Single entries of an email's history, for who was told of one. */
import type { HistoryEntry } from '../core/email.ts';
import type { EmailId, WorkspaceId } from '../core/ids.ts';
import { historyEntry } from './emails.ts';
import { emailParts } from './keys.ts';
import { get } from './table.ts';

/** The entry with sort key `sk`, or null. */
export async function findHistoryEntry(
  workspaceId: WorkspaceId,
  id: EmailId,
  sk: string,
): Promise<HistoryEntry | null> {
  const item = await get({ pk: emailParts(workspaceId, id), sk });
  return item ? historyEntry(item) : null;
}
