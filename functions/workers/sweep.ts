/** Enqueues scheduled emails whose timer was lost. */
import { sweepOverdue } from '../../lib/services/sending/sweep-overdue.ts';

export async function handler(): Promise<void> {
  await sweepOverdue();
}
