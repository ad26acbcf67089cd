/** `parley mark`, `parley claim` and `parley release`: what workers tell each other about a thread. */
import { clientOf } from '../client.ts';
import { command, given, result, shortTime } from '../output.ts';
import { cleanLine } from '../terminal/clean.ts';
import { UsageError } from '../terminal/exit.ts';

const thread = { demandOption: true, describe: 'thr_…, from parley threads' } as const;

export const mark = command({
  name: 'mark',
  summary: 'Labels a thread, and marks it as read or unread.',
  positionals: { thread },
  options: {
    label: { array: true, describe: 'adds a label; may be repeated' },
    unlabel: { array: true, describe: 'removes a label; may be repeated' },
    read: { type: 'boolean', describe: 'marks it as read' },
    unread: { type: 'boolean', describe: 'marks it as unread' },
  },
  examples: [
    ['mark thr_0190… --label billing --read', 'labels a thread and marks it as read'],
    ['mark thr_0190… --unlabel billing', 'removes a label'],
  ],
  run: async (values, context) => {
    const { label: add, unlabel, read, unread } = values;
    if (read && unread) throw new UsageError('--read and --unread exclude each other.');
    const labels = given({ add, remove: unlabel });
    const changes = {
      ...((add ?? unlabel) && { labels }),
      ...((read || unread) && { read: read === true }),
    };
    if (Object.keys(changes).length === 0) {
      throw new UsageError('Nothing to change: give --label, --unlabel, --read or --unread.');
    }
    const parley = clientOf(values, context);
    const changed = await parley.threads.update(values.thread, changes, { signal: context.signal });
    result(values, context, changed, () =>
      [changed.id, changed.read ? 'read' : 'unread', changed.labels.join(', ')].join('  ').trimEnd(),
    );
  },
});

export const claim = command({
  name: 'claim',
  summary: 'Claims a thread for one worker, so that no other worker answers it meanwhile.',
  details:
    'The same owner renews its claim. Exit code 1 where another owner has one. Then: parley reply --claim-owner.',
  positionals: { thread },
  options: {
    owner: { demandOption: true, describe: 'the name of the worker, the same in every call' },
    seconds: { type: 'number', default: 600, describe: 'how long it lasts, 10 to 3600' },
  },
  examples: [['claim thr_0190… --owner worker-1', 'claims a thread for ten minutes']],
  run: async (values, context) => {
    const { thread: id, owner, seconds } = values;
    const options = { signal: context.signal };
    const made = await clientOf(values, context).threads.claim(id, { owner, ttl_seconds: seconds }, options);
    result(
      values,
      context,
      made,
      () => `${id}  claimed by ${cleanLine(made.owner)} until ${shortTime(made.expires_at)}`,
    );
  },
});

export const release = command({
  name: 'release',
  summary: 'Ends the claim on a thread.',
  positionals: { thread },
  options: {
    owner: { describe: 'only the claim of this owner; without it, whoever has the claim loses it' },
  },
  examples: [['release thr_0190… --owner worker-1', 'ends the claim of a worker']],
  run: async (values, context) => {
    const { thread: id, owner } = values;
    await clientOf(values, context).threads.release(id, given({ owner }), { signal: context.signal });
    result(values, context, { id, claim: null }, () => `${id}  not claimed`);
  },
});
