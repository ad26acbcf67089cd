/** The operator's commands for the audit logs of workspaces and of the deployment. */
import { timestamp } from '../lib/adapters/clock.ts';
import type { WorkspaceId } from '../lib/core/ids.ts';
import { listAudit } from '../lib/services/workspaces/audit.ts';
import { type Command, neverAudited, onDeployment, onWorkspace } from './command.ts';
import { integer } from './options.ts';

const limit = { value: 'N', default: '100', help: 'the newest N entries' } as const;
const entriesMax = 100_000;

export const auditCommands: Readonly<Record<string, Command>> = {
  'audit list': onWorkspace({
    summary:
      'Lists the audit log of a workspace, newest first: keys created, deleted and used after deletion, spaces deleted, and\n' +
      "operators' commands. Entries are kept for a year.",
    options: { limit },
    examples: ['audit list --workspace acme', 'audit list --workspace acme --limit 10 --json'],
    isAudited: neverAudited,
    prepare: (values) => {
      const count = integer('limit', values.limit, 1, entriesMax);
      return ({ id }) => list(id, count);
    },
  }),
  'audit deployment': onDeployment({
    summary:
      "Lists the audit log of the deployment, newest first: operators' commands that belong to no workspace, and erasures.",
    options: { limit },
    examples: ['audit deployment', 'audit deployment --limit 10 --json'],
    isAudited: neverAudited,
    prepare: (values) => {
      const count = integer('limit', values.limit, 1, entriesMax);
      return () => list(null, count);
    },
  }),
};

async function list(workspaceId: WorkspaceId | null, count: number) {
  const entries = [];
  for await (const { at, actor, action, subject } of listAudit(workspaceId)) {
    entries.push({ at: timestamp(at), actor, action, subject });
    if (entries.length === count) break;
  }
  return entries;
}
