/** What a restored table has of emails that are not submitted yet. For the operator only: it reads the whole table. */
import type { EmailHead, EmailStatus } from '../../core/emails/email.ts';
import { claimedByRestore, type SubmissionChunk } from '../../core/emails/submission.ts';
import { type EmailId, parseId, type WorkspaceId } from '../../core/ids.ts';
import { chunkCodec } from '../emails/chunks.ts';
import { headCodec } from '../emails/email-heads.ts';
import * as keys from '../table/keys.ts';
import { getMany } from '../table/reads.ts';
import { scanAll } from '../table/table.ts';

export interface StoredHead {
  readonly workspaceId: WorkspaceId;
  readonly head: EmailHead;
}

/** Statuses from which an email may still leave, or may have left since. */
export const openStatuses = ['draft', 'scheduled', 'queued', 'sending'] as const;

/** The heads of emails and drafts that may leave, in no order. */
export async function* scanOpenHeads(): AsyncGenerator<StoredHead> {
  const values = Object.fromEntries(openStatuses.map((status) => [`:${status}`, status]));
  const pages = scanAll({
    FilterExpression: `#status IN (${Object.keys(values).join(', ')})`,
    ExpressionAttributeNames: { '#status': 'status' },
    ExpressionAttributeValues: values,
  });
  for await (const { items } of pages) {
    for (const item of items) {
      const workspaceId = parseId('wks', /^W#([^#]+)#(?:SPREAD#\d+#)?(?:E|DRAFTS)$/.exec(item.pk)?.[1] ?? '');
      if (workspaceId && parseId('eml', item.sk)) yield { workspaceId, head: headCodec.decode(item) };
    }
  }
}

export interface HeldChunk {
  readonly workspaceId: WorkspaceId;
  readonly emailId: EmailId;
  readonly chunk: SubmissionChunk;
}

/** The chunks that a restore has claimed and that are not completed since, in no order. */
export async function* scanHeldChunks(): AsyncGenerator<HeldChunk> {
  const pages = scanAll({
    FilterExpression: 'claimedAt = :held AND #state = :claimed',
    ExpressionAttributeNames: { '#state': 'state' },
    ExpressionAttributeValues: { ':held': claimedByRestore, ':claimed': 'claimed' },
  });
  for await (const { items } of pages) {
    for (const item of items) {
      const [, workspace = '', email = ''] = /^W#([^#]+)#E#([^#]+)$/.exec(item.pk) ?? [];
      const workspaceId = parseId('wks', workspace);
      const emailId = parseId('eml', email);
      if (workspaceId && emailId) yield { workspaceId, emailId, chunk: chunkCodec.decode(item) };
    }
  }
}

/** The status of each of these emails or drafts; null where the table has none. */
export async function findStatuses(
  emails: readonly { readonly workspaceId: WorkspaceId; readonly emailId: EmailId }[],
): Promise<(EmailStatus | null)[]> {
  const items = await getMany(
    emails.flatMap(({ workspaceId, emailId }) => [
      keys.emailKey(workspaceId, emailId),
      keys.draftKey(workspaceId, emailId),
    ]),
  );
  return emails.map((_, at) => {
    const item = items[2 * at] ?? items[2 * at + 1];
    return item ? headCodec.decode(item).status : null;
  });
}
