/** The removal of deleted mail, without the queue: it crashes at each of its AWS calls, and what is left in the end. */
import { afterEach, beforeEach, expect, it } from 'vitest';
import { now } from '../../../lib/adapters/clock.ts';
import { newId } from '../../../lib/adapters/ids.ts';
import { putObject } from '../../../lib/adapters/objects.ts';
import type { EmailHead } from '../../../lib/core/emails/email.ts';
import type { EventId, WorkspaceId } from '../../../lib/core/ids.ts';
import { localAdmin } from '../../../lib/local/aws/service.ts';
import { eraseMail } from '../../../lib/services/teardown/erase-mail.ts';
import { recordAttachments } from '../../../lib/storage/emails/attachments.ts';
import { attachmentObject, storeContent } from '../../../lib/storage/emails/email-content.ts';
import { createEmail } from '../../../lib/storage/emails/email-heads.ts';
import { takeEngagementNumber } from '../../../lib/storage/emails/engagements.ts';
import { indexMessageId, waitForMissingParents } from '../../../lib/storage/emails/message-ids.ts';
import { claimReceived } from '../../../lib/storage/emails/received.ts';
import { commit } from '../../../lib/storage/table/transactions.ts';
import {
  erasureMessage,
  findErasure,
  hideEmail,
  hideThread,
} from '../../../lib/storage/teardown/erasures.ts';
import { findThread } from '../../../lib/storage/threads/threads.ts';
import { storeEvent } from '../../../lib/storage/webhooks/events.ts';
import { clearFaults, inject } from '../../faults/kit.ts';
import { cloud } from '../../support/cloud.ts';
import { tag } from '../../support/deleted-space.ts';
import { announcementOf, domainEvent } from '../../support/events.ts';
import { storeRaw } from '../../support/filled-space.ts';
import { incompressible } from '../../support/incompressible.ts';
import { captureLog } from '../../support/log-lines.ts';
import { itemsOf, keysOf, objects } from '../../support/stored.ts';
import { storedContent, storedHead, threadOf } from '../../support/stored-mail.ts';
import { workspace } from '../../support/workspace.ts';

beforeEach(() => void captureLog());
afterEach(clearFaults);

/** A received email that began a thread, with a file, an event and content in the bucket. */
async function stored(workspaceId: WorkspaceId): Promise<EmailHead> {
  const head = storedHead({ messageId: `<${tag()}@buyer.test>` });
  const { id, threadId } = head;
  const missing = [`<missing-${tag()}@buyer.test>`];
  const file = { id: newId('att'), filename: 'a.txt', contentType: 'text/plain', size: 5, cid: null };
  await recordAttachments(workspaceId, id, [{ ...file, extraction: null }]);
  await putObject(attachmentObject(workspaceId, id, file.id), Buffer.from('Seven'), 'text/plain');
  await storeContent(workspaceId, id, {
    ...storedContent(incompressible(6000)),
    references: missing,
    raw: await storeRaw(`mail/${tag()}`),
    arrival: { fingerprint: id, inReplyTo: [], isShared: false },
  });
  await takeEngagementNumber(workspaceId, id);
  const event = () => domainEvent({ id: newId('evt'), subject: { emailId: id } });
  const [ofCreation, further] = [event(), event()];
  for (const one of [ofCreation, further]) await storeEvent(workspaceId, one);
  await commit(
    workspaceId,
    [
      ...createEmail(workspaceId, head),
      ...threadOf(workspaceId, head),
      claimReceived(workspaceId, null, id, id),
      indexMessageId(workspaceId, null, head.messageId, { emailId: id, threadId }),
      ...waitForMissingParents(workspaceId, null, missing, { own: head.messageId, threadId }),
    ],
    [{ message: announcementOf(workspaceId, ofCreation) }],
  );
  await commit(workspaceId, [], [{ message: announcementOf(workspaceId, further) }]);
  return head;
}

/** Deletes an email with its thread, without the messages that remove what they have left. */
async function hide(workspaceId: WorkspaceId, head: EmailHead): Promise<void> {
  const thread = await findThread(workspaceId, head.threadId);
  if (!thread) throw new Error('the thread was not stored');
  const hidden = await hideEmail(workspaceId, head);
  await commit(workspaceId, [...hidden, ...hideThread(workspaceId, thread)]);
}

/** Runs the passes of a deletion, those that are due later at once. */
async function finish(workspaceId: WorkspaceId, of: EmailHead['id'] | EmailHead['threadId']): Promise<void> {
  for (;;) {
    const erasure = await findErasure(workspaceId, of);
    if (!erasure) return;
    await eraseMail(erasureMessage(workspaceId, of, erasure.pass));
  }
}

/** Whether the first pass fails where all AWS calls of this process fail from call `number` on. */
async function isCrashed(
  workspaceId: WorkspaceId,
  of: EmailHead['id'] | EmailHead['threadId'],
  number: number,
): Promise<boolean> {
  const error = { kind: 'error', status: 400, code: 'Crash', times: 1_000_000 } as const;
  await inject({ principal: localAdmin, skip: number, ...error });
  try {
    await eraseMail(erasureMessage(workspaceId, of));
    return false;
  } catch {
    return true;
  } finally {
    await clearFaults();
  }
}

/** By which a message is known, and that an id was deleted. */
const isKnown = ({ pk }: { readonly pk: string }) => /#ERASED$|#MID#|#RCVD#/.test(pk);
/** Messages of changes expire, and events are counted a minute later. */
const isPassing = ({ pk }: { readonly pk: string }) => /#(OUT|USAGE)$/.test(pk);

it('removes an event that a function stores which had read the email before its deletion', async () => {
  const { id: workspaceId } = await workspace();
  const head = await stored(workspaceId);
  const events = async () => (await itemsOf(workspaceId)).filter(({ pk }) => /#EVENTS$/.test(pk));
  await cloud().waitForQuiescence();
  const late = (await events()).map(({ sk }) => domainEvent({ id: sk as EventId }));
  expect(late).toHaveLength(2);
  await hide(workspaceId, head);
  await eraseMail(erasureMessage(workspaceId, head.id));
  expect(await events()).toEqual([]);
  for (const event of late) await storeEvent(workspaceId, event);
  expect(await events()).toHaveLength(2);
  await finish(workspaceId, head.id);
  expect(await events()).toEqual([]);
});

it('leaves nothing but entries that expire, at whichever AWS call a pass dies', async () => {
  const { id: workspaceId } = await workspace();
  const [items, files] = [await itemsOf(workspaceId), await objects()];
  let crashes = 0;
  for (let number = 0, goesOn = true; goesOn; number++) {
    const head = await stored(workspaceId);
    await hide(workspaceId, head);
    goesOn = false;
    for (const of of [head.id, head.threadId]) {
      if (!(await isCrashed(workspaceId, of, number))) continue;
      goesOn = true;
      crashes += 1;
    }
    for (const of of [head.id, head.threadId]) await finish(workspaceId, of);
  }
  await cloud().waitForQuiescence();
  expect(crashes).toBeGreaterThan(15);
  const left = (await itemsOf(workspaceId)).filter((item) => !isPassing(item));
  expect(keysOf(left.filter((item) => !isKnown(item)))).toEqual(
    keysOf(items.filter((item) => !isPassing(item))),
  );
  const known = left.filter(isKnown);
  expect(known.length).toBeGreaterThan(crashes);
  expect(known.filter(({ expiresAt }) => !(Number(expiresAt) * 1000 > now()))).toEqual([]);
  expect(await objects()).toEqual(files);
});
