/** Continues scheduled emails and webhook deliveries whose timer was lost. */
import { sweepOverdue } from '../../lib/services/sending/sweep-overdue.ts';
import { sweepEndpoints } from '../../lib/services/webhooks/sweep-endpoints.ts';

export async function handler(): Promise<void> {
  await Promise.all([sweepOverdue(), sweepEndpoints()]);
}
