/** All tools, in the order in which hosts show them. */
import type { Tool } from '../tool.ts';
import { checkDelivery } from './check-delivery.ts';
import { checkSuppressions } from './check-suppressions.ts';
import { findThreads } from './find-threads.ts';
import { listSenders } from './list-senders.ts';
import { readEmail } from './read-email.ts';
import { readFile } from './read-file.ts';
import { readThread } from './read-thread.ts';
import {
  approveDraft,
  cancelEmail,
  listDrafts,
  listScheduled,
  rescheduleEmail,
  updateDraft,
} from './scheduled.ts';
import { forwardThread, replyToThread, sendEmail, uploadFile } from './send.ts';
import { whatHappened } from './what-happened.ts';
import { claimThread, markThread } from './work.ts';

export const tools: readonly Tool[] = [
  findThreads,
  readThread,
  readEmail,
  readFile,
  whatHappened,
  checkDelivery,
  listScheduled,
  listDrafts,
  listSenders,
  checkSuppressions,
  replyToThread,
  sendEmail,
  forwardThread,
  uploadFile,
  updateDraft,
  approveDraft,
  rescheduleEmail,
  cancelEmail,
  markThread,
  claimThread,
];
