/** How scripts run a local cloud until nothing is left, on a busy machine as well. */
import { type Cloud, QuiescenceTimeout } from '../lib/local/index.ts';

/** On a busy machine, or with a backlog of a hundred thousand records, quiescence takes longer than `settle` waits. */
export async function patiently(work: () => Promise<void>): Promise<void> {
  for (let tries = 1; ; tries++) {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof QuiescenceTimeout) || tries === 20) throw error;
    }
  }
}

/** The messages of all queues; of dead-letter queues apart. */
export function queued({ sqs }: Pick<Cloud, 'sqs'>): { readonly open: number; readonly dead: number } {
  const sums = { open: 0, dead: 0 };
  for (const [arn, { visible, inFlight, delayed }] of Object.entries(sqs.depths())) {
    sums[/dead-letters|undelivered/.test(arn) ? 'dead' : 'open'] += visible + inFlight + delayed;
  }
  return sums;
}
