/** The operator's commands for queues, the outbox and the table. */
import { countDeadLetters, redriveDeadLetters, redriveSources } from '../lib/adapters/dead-letters.ts';
import { redriveOutbox, staleOutbox } from '../lib/services/queues/redrive-outbox.ts';
import { upgradeTable } from '../lib/services/workspaces/upgrade-table.ts';
import { type Command, neverAudited, onDeployment } from './command.ts';
import { oneOf } from './options.ts';

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
  'outbox list': onDeployment({
    summary: 'Counts outbox items that the relay gave up on, by workspace.',
    options: {},
    examples: ['outbox list'],
    isAudited: neverAudited,
    prepare: () => async () =>
      (await staleOutbox()).map(({ workspaceId, slug, items }) => ({ id: workspaceId, slug, items })),
  }),
  'outbox redrive': onDeployment({
    summary: 'Sends the messages of outbox items that the relay gave up on.',
    options: {},
    examples: ['outbox redrive'],
    prepare: () => async () => ({ ...(await redriveOutbox()) }),
  }),
  'table upgrade': onDeployment({
    summary:
      'Changes what 0.1.0 stored: lists emails and threads in the new way, indexes Message-IDs without case, seals the secrets\n' +
      "of links and cursors, and gives deliveries' bodies to events. Repeated, it changes nothing.",
    options: {},
    examples: ['table upgrade'],
    prepare: () => async () => {
      const { messageIds, ...counts } = await upgradeTable();
      return { ...counts, message_ids: messageIds };
    },
  }),
};
