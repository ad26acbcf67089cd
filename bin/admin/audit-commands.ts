/** The operator's commands for the audit logs of workspaces and of the deployment. */
import { timestamp } from '../../lib/adapters/clock.ts';
import type { WorkspaceId } from '../../lib/core/ids.ts';
import { integer } from '../operator/values.ts';
import { type AdminCommand, neverAudited, onDeployment, onWorkspace } from './command.ts';

const limit = { type: 'string', default: '100', describe: 'how many of the newest entries' } as const;
const entriesMax = 100_000;

export const auditCommands: Readonly<Record<string, AdminCommand>> = {
  'audit list': onWorkspace({
    summary: 'Lists the audit log of a workspace, newest first.',
    details:
      'It has the keys that were created, deleted, and used after their deletion, the spaces, emails and threads that were ' +
      'deleted, and the commands of operators. Entries are kept for a year.',
    options: { limit },
    examples: [
      ['audit list --workspace acme', 'the last 100 entries'],
      ['audit list --workspace acme --limit 10 --json', 'the last ten, for a program'],
    ],
    isAudited: neverAudited,
    prepare: (values) => {
      const count = integer('limit', values.limit, 1, entriesMax);
      return ({ id }) => list(id, count);
    },
  }),
  'audit deployment': onDeployment({
    summary: 'Lists the audit log of the deployment, newest first.',
    details: 'It has the commands of operators that belong to no workspace, and erasures.',
    options: { limit },
    examples: [['audit deployment --limit 10', 'the last ten entries']],
    isAudited: neverAudited,
    prepare: (values) => {
      const count = integer('limit', values.limit, 1, entriesMax);
      return () => list(null, count);
    },
  }),
};

async function list(workspaceId: WorkspaceId | null, count: number) {
  const { listAudit } = await import('../../lib/services/workspaces/audit.ts');
  const entries = [];
  for await (const { at, actor, action, subject } of listAudit(workspaceId)) {
    entries.push({ at: timestamp(at), actor, action, subject });
    if (entries.length === count) break;
  }
  return entries;
}
