/** Claims on notices to members, so that each is mailed once. */
import type { WorkspaceId } from '../../core/ids.ts';
import { codec, secondsAsMs } from '../table/codec.ts';
import { noticeKey } from '../table/keys.ts';
import { putIf, remove } from '../table/table.ts';
import { absent } from '../table/transactions.ts';

const claimCodec = codec<{ readonly expiresAt: number }>('notice', { expiresAt: secondsAsMs });

/**
 * Claims a notice to a member. False where it is claimed: it was sent, or another worker sends it.
 *
 * @param noticeId the occasion
 * @param to empty: the report to the operator
 */
export async function claimNotice(
  workspaceId: WorkspaceId,
  noticeId: string,
  to: string,
  expiresAt: number,
): Promise<boolean> {
  const key = noticeKey(workspaceId, noticeId, to);
  return await putIf({ ...key, ...claimCodec.encode({ expiresAt }) }, absent);
}

/** Gives a claim back: the notice was certainly not sent. */
export async function releaseNotice(workspaceId: WorkspaceId, noticeId: string, to: string): Promise<void> {
  await remove(noticeKey(workspaceId, noticeId, to));
}
