/** The operator's commands for queues, the outbox and the set-up of domains. */
import { UsageError } from '../../clients/cli/src/terminal/exit.ts';
import { now } from '../../lib/adapters/clock.ts';
import type { RedriveSource } from '../../lib/adapters/dead-letters.ts';
import { type QueueName, queues } from '../../lib/core/access/access.ts';
import { outboxDays } from '../../lib/core/limits.ts';
import type { ReplayProgress } from '../../lib/services/queues/replay-outbox.ts';
import { progressEvery } from '../operator/progress.ts';
import { time } from '../operator/values.ts';
import { type AdminCommand, neverAudited, onDeployment } from './command.ts';

/** `redriveSources` of the adapter, which loads the SDK. */
const sources: readonly RedriveSource[] = [...(Object.keys(queues) as QueueName[]), 'schedules'];

const adapter = () => import('../../lib/adapters/dead-letters.ts');

export const queueCommands: Readonly<Record<string, AdminCommand>> = {
  'queue list': onDeployment({
    summary: 'Counts the messages in each dead-letter queue.',
    options: {},
    examples: [['queue list', 'all queues']],
    isAudited: neverAudited,
    prepare: () => async () => {
      const { countDeadLetters, redriveSources } = await adapter();
      return await Promise.all(
        redriveSources.map(async (queue) => ({ queue, dead_letters: await countDeadLetters(queue) })),
      );
    },
  }),
  'queue redrive': onDeployment({
    summary: 'Moves dead letters back to their queue.',
    details: 'Every consumer is idempotent.',
    options: { queue: { choices: sources, demandOption: true, describe: 'a queue of queue list' } },
    examples: [['queue redrive --queue tasks', 'work on the tasks that failed again']],
    prepare:
      ({ queue }) =>
      async () => {
        const { redriveDeadLetters } = await adapter();
        return { queue, moved: await redriveDeadLetters(queue) };
      },
  }),
  'domain queue': onDeployment({
    summary: 'Counts the domains that wait for their set-up at SES, in each mail region.',
    details: 'SES takes one management call a second. Domains whose mail waits go ahead of the others.',
    options: {},
    examples: [['domain queue', 'how many wait, and when the last of them has its turn']],
    isAudited: neverAudited,
    prepare: () => async () => {
      const { setupFigures } = await import('../../lib/services/domains/setup-turns.ts');
      return (await setupFigures()).map(({ region, waiting, ahead, lastAt }) => ({
        region,
        waiting,
        with_mail: ahead,
        last_turn_at: lastAt === null ? null : new Date(lastAt).toISOString(),
      }));
    },
  }),
  'outbox replay': onDeployment({
    summary: 'Sends the messages of all changes within a time again.',
    details: 'Also of those that the relay has sent: every consumer is idempotent. Reads the whole table.',
    options: {
      since: {
        type: 'string',
        demandOption: true,
        describe: `such as 2026-01-31T12:00:00Z, at most ${outboxDays} days ago`,
      },
      until: { type: 'string', describe: 'end of the time; else now' },
      'dry-run': { type: 'boolean', describe: 'count the changes only' },
    },
    examples: [
      ['outbox replay --since 2026-01-31T12:00:00Z --dry-run', 'how many changes there are'],
      ['outbox replay --since 2026-01-31T12:00:00Z --until 2026-02-01T12:00:00Z', 'those of a day'],
    ],
    prepare: ({ since, until, 'dry-run': isDryRun = false }) => {
      const sinceMs = time('since', since);
      const untilMs = until === undefined ? now() : time('until', until);
      if (sinceMs >= untilMs) throw new UsageError('--since is before --until.');
      return async () => {
        // Not before: the examples of the help have a fixed day.
        if (sinceMs < now() - outboxDays * 86_400_000) {
          throw new UsageError(`--since is at most ${outboxDays} days ago.`);
        }
        const { replayOutbox } = await import('../../lib/services/queues/replay-outbox.ts');
        return { ...(await replayOutbox({ sinceMs, untilMs }, { isDryRun }, replayReport())) };
      };
    },
  }),
};

/** Items of the table between two reports: about a minute of reading. */
const reportedItems = 500_000;

/** Prints how far a replay is. */
export function replayReport(): (progress: ReplayProgress) => void {
  const report = progressEvery(reportedItems);
  return ({ scanned, sent, failed }) =>
    report(scanned, () => `${scanned} items read, ${sent} changes found, ${failed} failed`);
}
