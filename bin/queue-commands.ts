/** The operator's commands for queues and the outbox. */
import { now } from '../lib/adapters/clock.ts';
import { countDeadLetters, redriveDeadLetters, redriveSources } from '../lib/adapters/dead-letters.ts';
import { outboxDays } from '../lib/core/limits.ts';
import { type ReplayProgress, replayOutbox } from '../lib/services/queues/replay-outbox.ts';
import { type Command, neverAudited, onDeployment } from './command.ts';
import { oneOf, Refused, time, Usage } from './options.ts';

export const queueCommands: Readonly<Record<string, Command>> = {
  'queue list': onDeployment({
    summary: 'Counts the messages in each dead-letter queue.',
    options: {},
    examples: ['queue list'],
    isAudited: neverAudited,
    prepare: () => () =>
      Promise.all(
        redriveSources.map(async (queue) => ({ queue, dead_letters: await countDeadLetters(queue) })),
      ),
  }),
  'queue redrive': onDeployment({
    summary: 'Moves dead letters back to their queue. Every consumer is idempotent.',
    options: { queue: { value: 'QUEUE', required: true, help: 'a queue of queue list' } },
    examples: ['queue redrive --queue tasks'],
    prepare: (values) => {
      const queue = oneOf('queue', values.queue, redriveSources);
      return async () => ({ queue, moved: await redriveDeadLetters(queue) });
    },
  }),
  'outbox replay': onDeployment({
    summary:
      'Sends the messages of all changes within a time again, also of those that the relay has sent: every consumer is\n' +
      'idempotent. Reads the whole table.',
    options: {
      since: {
        value: 'TIME',
        required: true,
        help: `such as 2026-01-31T12:00:00Z, at most ${outboxDays} days ago`,
      },
      until: { value: 'TIME', help: 'default: now' },
      'dry-run': { help: 'counts the changes only' },
    },
    examples: [
      'outbox replay --since 2026-01-31T12:00:00Z --dry-run',
      'outbox replay --since 2026-01-31T12:00:00Z --until 2026-02-01T12:00:00Z',
    ],
    prepare: ({ since, until, 'dry-run': isDryRun }) => {
      const sinceMs = time('since', since);
      const untilMs = until === undefined ? now() : time('until', until);
      if (sinceMs >= untilMs) throw new Usage('--since is before --until.');
      return async () => {
        if (sinceMs < now() - outboxDays * 86_400_000) {
          throw new Refused(`--since is at most ${outboxDays} days ago.`);
        }
        return { ...(await replayOutbox({ sinceMs, untilMs }, { isDryRun }, progressReport())) };
      };
    },
  }),
};

/** Items of the table between two reports: about a minute of reading. */
const reportedItems = 500_000;

/** Prints how far a replay is to stderr; the result goes to stdout. */
function progressReport(): (progress: ReplayProgress) => void {
  let next = reportedItems;
  return ({ scanned, sent, failed }) => {
    if (scanned < next) return;
    next = scanned + reportedItems;
    process.stderr.write(`${scanned} items read, ${sent} changes found, ${failed} failed\n`);
  };
}
