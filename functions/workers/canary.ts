/** Mails itself through SES, and checks that the last such mail came back and was announced. */
import { withMetrics } from '../../lib/observability/count.ts';
import { runCanary } from '../../lib/services/canary/run-canary.ts';

export async function handler(): Promise<void> {
  await withMetrics(runCanary);
}
