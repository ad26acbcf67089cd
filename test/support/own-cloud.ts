/** A cloud beside the shared one, for a test that needs other limits or anomalies. */
import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { inject } from 'vitest';
import { type CloudOptions, startCloud } from '../../lib/local/cloud.ts';
import { cloud, useCloud } from './cloud.ts';
import { addressOf } from './cloud-address.ts';
import type { TestWorkspace } from './workspace.ts';

export interface OwnCloud {
  /** Creates a workspace in a thread: AWS clients of this thread stay with the shared cloud. */
  workspace(): Promise<Omit<TestWorkspace, 'keyOf'>>;
  /** Stops the cloud; `cloud()` is the shared one again. */
  close(): Promise<void>;
}

/** Starts a cloud that `cloud()` returns until it is closed. */
export async function startOwnCloud(options: CloudOptions): Promise<OwnCloud> {
  const shared = cloud();
  const own = await startCloud({ dynamoDbUrl: inject('dynamoDbUrl'), ...options });
  useCloud(addressOf(own));
  return {
    async workspace() {
      const thread = new Worker(new URL('workspace-thread.ts', import.meta.url), {
        env: { ...process.env, ...own.environment },
      });
      const [created] = await once(thread, 'message');
      await thread.terminate();
      return created;
    },
    async close() {
      useCloud(shared);
      await own.close();
    },
  };
}
