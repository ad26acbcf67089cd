/** Mails itself through SES, and checks that the last such mail came back and was announced. */
import * as z from 'zod';
import { withMetrics } from '../../lib/observability/count.ts';
import { runCanary } from '../../lib/services/canary/run-canary.ts';

/** Absent in an event of a schedule of the release before, and of an invocation by hand. */
const shape = z.object({ apiUrl: z.string().default('') }).catch({ apiUrl: '' });

export async function handler(event: unknown): Promise<void> {
  const { apiUrl } = shape.parse(event);
  await withMetrics(() => runCanary(apiUrl.replace(/\/$/, '')));
}
