/** A cloud beside the shared one, for a test that needs other limits or anomalies. */
import { once } from 'node:events';
import { getEnvironmentData, setEnvironmentData, Worker } from 'node:worker_threads';
import { clockSkewKey } from '../../lib/adapters/clock.ts';
import type { WorkspaceId } from '../../lib/core/ids.ts';
import { newSkew } from '../../lib/local/clock.ts';
import { type Cloud, type CloudOptions, startCloud } from '../../lib/local/cloud.ts';
import { cloud, useCloud } from './cloud.ts';
import { addressOf } from './cloud-address.ts';
import { noteMismatch } from './mismatches.ts';
import type { OperatorCall } from './operator-thread.ts';
import type { TestWorkspace } from './workspace.ts';

export interface OwnCloud extends Pick<Cloud, 'functionsOfBoth' | 'useRelease'> {
  workspace(): Promise<Omit<TestWorkspace, 'keyOf'>>;
  resume(workspaceId: WorkspaceId): Promise<boolean>;
  erase(workspaceId: WorkspaceId): Promise<unknown>;
  /** Calls an exported function of a module, named from this folder. */
  operate(module: string, name: string, ...args: readonly unknown[]): Promise<unknown>;
  readAllThreads(workspaceId: WorkspaceId): Promise<number>;
  /** Stops the cloud; `cloud()` is the shared one again. */
  close(): Promise<void>;
}

/** Starts a cloud that `cloud()` returns until it is closed. */
export async function startOwnCloud(options: CloudOptions): Promise<OwnCloud> {
  const shared = cloud();
  const clockSkew = newSkew();
  const own = await startCloud({
    clockSkew,
    onMismatch: noteMismatch,
    ...options,
  });
  useCloud(addressOf(own));
  /** Calls a function in a thread: AWS clients of this thread stay with the shared cloud. */
  const operate = async (path: string, name: string, ...args: readonly unknown[]) => {
    const call: OperatorCall = { module: new URL(path, import.meta.url).href, name, args };
    // Threads inherit the clock of this one, which is that of the shared cloud.
    const sharedSkew = getEnvironmentData(clockSkewKey);
    setEnvironmentData(clockSkewKey, clockSkew);
    const thread = new Worker(new URL('operator-thread.ts', import.meta.url), {
      env: { ...process.env, ...own.environment },
      workerData: call,
    });
    setEnvironmentData(clockSkewKey, sharedSkew);
    const [result] = await once(thread, 'message');
    await thread.terminate();
    return JSON.parse(result);
  };
  return {
    functionsOfBoth: own.functionsOfBoth,
    useRelease: own.useRelease,
    operate,
    workspace: () => operate('workspace.ts', 'workspace'),
    resume: (workspaceId) =>
      operate('../../lib/services/sending/sending-guard.ts', 'resumeWorkspace', workspaceId),
    readAllThreads: (workspaceId) =>
      operate('../../lib/services/threads/read-all-threads.ts', 'readAllThreads', workspaceId),
    erase: (id) =>
      operate(
        '../../lib/services/workspaces/erase-workspace.ts',
        'eraseWorkspace',
        { id },
        'workspace erase',
      ),
    async close() {
      useCloud(shared);
      await own.close();
    },
  };
}
