/** The operator's commands after a restore of the table (docs/restoring.md). */
import { Refused, UsageError } from '../../clients/cli/src/terminal/exit.ts';
import { now } from '../../lib/adapters/clock.ts';
import { parseId } from '../../lib/core/ids.ts';
import { progressEvery } from '../operator/progress.ts';
import { quoted, time } from '../operator/values.ts';
import { type AdminCommand, onDeployment } from './command.ts';
import { replayReport } from './queue-commands.ts';

const restoredTo = {
  type: 'string',
  demandOption: true,
  describe: 'the time that the table was restored to, such as 2026-01-31T12:00:00Z',
} as const;
const lostRegion = {
  type: 'string',
  describe: 'a region that cannot be reached: its raw mail and its log lines are left out',
} as const;
const dryRun = { type: 'boolean', describe: 'change nothing, report only' } as const;

export const restoreCommands: Readonly<Record<string, AdminCommand>> = {
  'restore reconcile': onDeployment({
    summary: 'Holds back the mail of a restored table that may have left since, and names what is lost.',
    details:
      'Before the deployment adopts the table. Repeated, it goes on. Reads the whole table and the log lines since, and lists the buckets. ' +
      'Against AWS it needs logs:FilterLogEvents; without it the report says so, and names less.',
    options: {
      table: { type: 'string', demandOption: true, describe: 'the restored table' },
      'restored-to': restoredTo,
      'lost-at': { type: 'string', describe: 'when the deployment stopped; else now' },
      'lost-region': lostRegion,
      'dry-run': dryRun,
    },
    examples: [
      [
        'restore reconcile --table parley-2 --restored-to 2026-01-31T12:00:00Z --dry-run',
        'what it would hold',
      ],
      [
        'restore reconcile --table parley-2 --restored-to 2026-01-31T12:00:00Z --lost-at 2026-01-31T13:00:00Z --json',
        'hold it, and print the report',
      ],
    ],
    isAudited: ({ 'dry-run': isDryRun }) => !isDryRun,
    prepare: ({
      table,
      'restored-to': to,
      'lost-at': lost,
      'lost-region': region,
      'dry-run': isDryRun = false,
    }) => {
      const restored = time('restored-to', to);
      const lostAt = lost === undefined ? now() : time('lost-at', lost);
      if (restored > lostAt) throw new UsageError('--restored-to is before --lost-at.');
      return async () => {
        await workOn(table);
        const { reconcile } = await import('../../lib/services/restoring/reconcile.ts');
        const options = { restoredTo: restored, lostAt, isDryRun, ...lostRegionOf(region) };
        return { table, ...(await reconcile(options, reconcileReport())) };
      };
    },
  }),
  'restore replay': onDeployment({
    summary:
      'After the adoption of a restored table: sends its messages again, receives mail again, redrives dead letters.',
    details: 'Every consumer is idempotent. Reads the whole table, and lists the raw mail.',
    options: { 'restored-to': restoredTo, 'lost-region': lostRegion, 'dry-run': dryRun },
    examples: [
      ['restore replay --restored-to 2026-01-31T12:00:00Z', 'once the workers use the restored table'],
    ],
    isAudited: ({ 'dry-run': isDryRun }) => !isDryRun,
    prepare: ({ 'restored-to': to, 'lost-region': region, 'dry-run': isDryRun = false }) => {
      const restored = time('restored-to', to);
      return async () => {
        const { replayAfterRestore } = await import('../../lib/services/restoring/replay.ts');
        const options = { restoredTo: restored, now: now(), isDryRun, ...lostRegionOf(region) };
        return { ...(await replayAfterRestore(options, replayReport())) };
      };
    },
  }),
  'restore settle': onDeployment({
    summary: 'Decides on mail that was held back and that SES has not reported.',
    details:
      'send: it is submitted, a second time where it had left; scheduled mail at its time. ' +
      'fail: it is failed, with the reason in its events; scheduled mail stays.',
    options: {
      as: {
        choices: ['list', 'send', 'fail'] as const,
        demandOption: true,
        describe: 'list changes nothing',
      },
      workspace: { type: 'string', describe: 'id of a workspace; else of all' },
      email: { type: 'string', describe: 'id of an email; else all' },
      status: { choices: ['scheduled', 'due'] as const, describe: 'scheduled for later, or not; else both' },
    },
    examples: [
      ['restore settle --as list', 'the mail that is held'],
      ['restore settle --as send --status scheduled', 'scheduled mail leaves at its time'],
      ['restore settle --as fail', 'its senders decide whether to send it again'],
    ],
    isAudited: ({ as }) => as !== 'list',
    prepare: ({ as, workspace, email, status }) => {
      const workspaceId = workspace === undefined ? null : idOf('wks', 'workspace', workspace);
      const emailId = email === undefined ? null : idOf('eml', 'email', email);
      return async () => {
        const { settleHeld } = await import('../../lib/services/restoring/settle.ts');
        const isScheduled = status === undefined ? null : status === 'scheduled';
        return { settled_as: as, emails: await settleHeld(as, { workspaceId, emailId, isScheduled }) };
      };
    },
  }),
};

const lostRegionOf = (region: string | undefined) => (region === undefined ? {} : { lostRegion: region });

/** @throws UsageError */
function idOf<P extends 'wks' | 'eml'>(prefix: P, option: string, text: string) {
  const id = parseId(prefix, text);
  if (!id) throw new UsageError(`--${option} is an id, ${prefix}_…, not ${quoted(text)}.`);
  return id;
}

/** Makes this process work on another table of the deployment. @throws Refused */
async function workOn(table: string): Promise<void> {
  const before = process.env.TABLE_NAME;
  process.env.TABLE_NAME = table;
  const { env } = await import('../../lib/env.ts');
  if (env().TABLE_NAME === table) return;
  process.env.TABLE_NAME = before;
  throw new Refused(`This process works on the table ${quoted(env().TABLE_NAME)}.`);
}

function reconcileReport(): (progress: { readonly lines: number; readonly held: number }) => void {
  const [read, heldBack] = [progressEvery(10_000), progressEvery(1000)];
  return ({ lines, held }) => {
    read(lines, () => `${lines} log lines read`);
    heldBack(held, () => `${held} emails held`);
  };
}
