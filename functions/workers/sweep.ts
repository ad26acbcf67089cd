/** Continues scheduled emails, held emails and mailboxes whose timer was lost. */
import { allDone } from '../../lib/core/all-done.ts';
import { sweepMailboxes } from '../../lib/services/mailboxes/sweep-mailboxes.ts';
import { sweepPacers } from '../../lib/services/pacing/sweep-pacers.ts';
import { sweepOverdue } from '../../lib/services/sending/sweep-overdue.ts';

export async function handler(): Promise<void> {
  await allDone([sweepOverdue(), sweepPacers(), sweepMailboxes()]);
}
