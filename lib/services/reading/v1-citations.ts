/** The emails that an email cites, by the Message-IDs that version 1 shows for them (docs/concepts/v1.md#emails). */
import type { FullEmail } from '../../core/emails/email.ts';
import type { WorkspaceId } from '../../core/ids.ts';
import { candidateIds } from '../../mail/threading/cited-ids.ts';
import { findEmails } from '../../storage/emails/email-heads.ts';
import { findThreadsByMessageId } from '../../storage/emails/message-ids.ts';

export interface V1Citations {
  readonly inReplyToId: string | null;
  /** Oldest first, each email once; without the email itself, whose id is in the header References. */
  readonly references: readonly string[];
}

/**
 * What an email cites. Recipients saw the Message-IDs that SES wrote, and cite these: a known one is replaced by the
 * `messageId` of its email. Of a long chain, the first and last ids are looked up.
 */
export async function v1CitationsOf(
  workspaceId: WorkspaceId,
  { head, content: { references } }: Pick<FullEmail, 'head' | 'content'>,
): Promise<V1Citations> {
  const inReplyTo = head.inReplyTo === null ? [] : [head.inReplyTo];
  const cited = candidateIds({ inReplyTo, references }).filter((id) => id !== head.messageId);
  const known = await findThreadsByMessageId(workspaceId, head.spaceId, cited);
  const ids = [...new Set([...known.values()].map(({ emailId }) => emailId))].filter((id) => id !== null);
  const emails = await findEmails(workspaceId, ids);
  const messageIds = new Map(emails.flatMap((email) => (email ? [[email.id, email.messageId]] : [])));
  const shown = (id: string): string => {
    const emailId = known.get(id)?.emailId;
    return (emailId && messageIds.get(emailId)) ?? id;
  };
  const others = (list: readonly string[]) => list.map(shown).filter((id) => id !== head.messageId);
  return { inReplyToId: others(inReplyTo)[0] ?? null, references: [...new Set(others(references))] };
}
