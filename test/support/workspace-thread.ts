/** A thread that creates a workspace on the cloud of its environment, and posts it. */
import { parentPort } from 'node:worker_threads';
import { workspace } from './workspace.ts';

const { keyOf: _, ...created } = await workspace();
parentPort?.postMessage(created);
