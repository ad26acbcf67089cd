/** The list of all workers, for the CDK app and the local cloud; no function imports it. */
import type { WorkerContract } from '../lib/core/work/worker.ts';
import { canaryWorker } from './workers/canary.contract.ts';
import { checkMailWorker } from './workers/check-mail.contract.ts';
import { countUsageWorker } from './workers/count-usage.contract.ts';
import { deliverWebhookWorker } from './workers/deliver-webhook.contract.ts';
import { extractTextWorker } from './workers/extract-text.contract.ts';
import { forwardDelayedWorker } from './workers/forward-delayed.contract.ts';
import { liveSocketWorker } from './workers/live-socket.contract.ts';
import { paceMailWorker } from './workers/pace-mail.contract.ts';
import { providerEventWorker } from './workers/provider-event.contract.ts';
import { publishEventWorker } from './workers/publish-event.contract.ts';
import { pushLiveWorker } from './workers/push-live.contract.ts';
import { receiveMailWorker } from './workers/receive-mail.contract.ts';
import { receiveMailboxMailWorker } from './workers/receive-mailbox-mail.contract.ts';
import { relayWorker } from './workers/relay.contract.ts';
import { releaseMailWorker } from './workers/release-mail.contract.ts';
import { runTaskWorker } from './workers/run-task.contract.ts';
import { sendMailWorker } from './workers/send-mail.contract.ts';
import { sendMailboxMailWorker } from './workers/send-mailbox-mail.contract.ts';
import { sweepWorker } from './workers/sweep.contract.ts';
import { syncIdentityWorker } from './workers/sync-identity.contract.ts';
import { syncMailboxWorker } from './workers/sync-mailbox.contract.ts';

export const workers: readonly WorkerContract[] = [
  relayWorker,
  countUsageWorker,
  forwardDelayedWorker,
  releaseMailWorker,
  sendMailWorker,
  paceMailWorker,
  providerEventWorker,
  receiveMailWorker,
  extractTextWorker,
  publishEventWorker,
  deliverWebhookWorker,
  pushLiveWorker,
  liveSocketWorker,
  runTaskWorker,
  syncIdentityWorker,
  syncMailboxWorker,
  receiveMailboxMailWorker,
  sendMailboxMailWorker,
  sweepWorker,
  checkMailWorker,
  canaryWorker,
];
