/** A client of the TypeScript library for a workspace of the local cloud, whose waits between attempts take no time. */
import { Parley, type ParleyOptions } from '../../../clients/typescript/src/index.ts';
import { systemRuntime } from '../../../clients/typescript/src/runtime.ts';
import { cloud } from '../../support/cloud.ts';
import type { TestWorkspace } from '../../support/workspace.ts';

export function cloudClient(ours: TestWorkspace, options: ParleyOptions = {}): Parley {
  const runtime = { ...systemRuntime, wait: async () => {} };
  return new Parley({ apiKey: ours.key, baseUrl: cloud().baseUrl, ...options }, runtime);
}
