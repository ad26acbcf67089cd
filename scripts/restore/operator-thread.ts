/** What the operator does in a drill, in a thread of its own: its environment names the cloud and the table. */
import { parentPort, workerData } from 'node:worker_threads';
import { signPost } from '../../lib/adapters/signed-post.ts';
import { type ReconcileOptions, reconcile } from '../../lib/services/restoring/reconcile.ts';
import { replayAfterRestore } from '../../lib/services/restoring/replay.ts';
import { type Settlement, settleHeld } from '../../lib/services/restoring/settle.ts';
import { workspace } from '../../test/support/workspace.ts';

const tasks = {
  async workspace({ slug }: { readonly slug: string }) {
    const { id, providedDomain, key: token } = await workspace({ slug });
    return { id, providedDomain, token };
  },
  reconcile: (options: ReconcileOptions) => reconcile(options),
  replay: (options: Parameters<typeof replayAfterRestore>[0]) => replayAfterRestore(options, () => undefined),
  settle: ({ as }: { readonly as: Settlement }) =>
    settleHeld(as, { workspaceId: null, emailId: null, isScheduled: null }),
  /** A call of IAM, which answers in XML. */
  async iam(parameters: Readonly<Record<string, string>>) {
    const body = new URLSearchParams(parameters).toString();
    const headers = { 'content-type': 'application/x-www-form-urlencoded' };
    const signed = await signPost({ service: 'iam', region: 'us-east-1', path: '/', headers, body });
    const response = await fetch(signed.url, { method: 'POST', headers: signed.headers, body });
    const text = await response.text();
    if (!response.ok) throw new Error(`IAM answered ${response.status}: ${text}`);
    return text;
  },
} as const;

export type Tasks = typeof tasks;

/** A task by its name, with its options. */
export interface Task {
  readonly name: keyof Tasks;
  readonly options: unknown;
}

const { name, options } = workerData as Task;
parentPort?.postMessage(await (tasks[name] as (options: unknown) => Promise<unknown>)(options));
