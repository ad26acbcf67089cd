/** The list of all workers. The CDK app and the local cloud read it; no function imports it. */
import type { WorkerContract } from '../lib/domain/worker.ts';
import { deliverWebhookWorker } from './workers/deliver-webhook.contract.ts';
import { manageIdentityWorker } from './workers/manage-identity.contract.ts';
import { prepareAttachmentWorker } from './workers/prepare-attachment.contract.ts';
import { providerEventWorker } from './workers/provider-event.contract.ts';
import { publishEventWorker } from './workers/publish-event.contract.ts';
import { receiveMailWorker } from './workers/receive-mail.contract.ts';
import { relayWorker } from './workers/relay.contract.ts';
import { runTaskWorker } from './workers/run-task.contract.ts';
import { sendMailWorker } from './workers/send-mail.contract.ts';
import { sweepWorker } from './workers/sweep.contract.ts';
import { wakeWorker } from './workers/wake.contract.ts';

export const workers: readonly WorkerContract[] = [
  relayWorker,
  wakeWorker,
  sendMailWorker,
  providerEventWorker,
  receiveMailWorker,
  prepareAttachmentWorker,
  publishEventWorker,
  deliverWebhookWorker,
  runTaskWorker,
  manageIdentityWorker,
  sweepWorker,
];
