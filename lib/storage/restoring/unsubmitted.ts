/** What a restored table has of emails that are not submitted yet, and of messages just received. For the operator only: it reads the whole table. */
import type { EmailHead, EmailStatus } from '../../core/emails/email.ts';
import { claimedByRestore, type SubmissionChunk } from '../../core/emails/submission.ts';
import { composeId, type EmailId, parseId, type WorkspaceId } from '../../core/ids.ts';
import { chunkCodec } from '../emails/chunks.ts';
import { headCodec } from '../emails/email-heads.ts';
import * as keys from '../table/keys.ts';
import { getMany } from '../table/reads.ts';
import { type Item, scanAll } from '../table/table.ts';
import { claimOf, type ReceivedClaim } from './received-claims.ts';

export interface StoredHead {
  readonly workspaceId: WorkspaceId;
  readonly head: EmailHead;
}

/** Statuses from which an email may still leave, or may have left since. */
export const openStatuses = ['draft', 'scheduled', 'queued', 'sending'] as const;

/**
 * What may not be true any more in a table of the past, in no order: heads of emails and drafts that may leave, and claims of
 * messages that were received since.
 */
export async function* scanUncertain(sinceMs: number): AsyncGenerator<StoredHead | ReceivedClaim> {
  const values = Object.fromEntries(openStatuses.map((status) => [`:${status}`, status]));
  const pages = scanAll({
    FilterExpression: `#status IN (${Object.keys(values).join(', ')}) OR emailId >= :first`,
    ExpressionAttributeNames: { '#status': 'status' },
    ExpressionAttributeValues: { ...values, ':first': composeId('eml', sinceMs, new Uint8Array(10)) },
  });
  for await (const { items } of pages) {
    for (const item of items) {
      const found = openHeadOf(item) ?? claimOf(item);
      if (found) yield found;
    }
  }
}

function openHeadOf(item: Item): StoredHead | null {
  const workspaceId = parseId('wks', /^W#([^#]+)#(?:SPREAD#\d+#)?(?:E|DRAFTS)$/.exec(item.pk)?.[1] ?? '');
  return workspaceId && parseId('eml', item.sk) ? { workspaceId, head: headCodec.decode(item) } : null;
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
