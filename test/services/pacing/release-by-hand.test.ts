import { expect, it } from 'vitest';
import { now } from '../../../lib/adapters/clock.ts';
import { heldPosition } from '../../../lib/core/pacing/held.ts';
import { releaseByHand } from '../../../lib/services/pacing/pacing-queue.ts';
import { submitMailboxMessage } from '../../../lib/services/sending/submission-messages.ts';
import { createEmail } from '../../../lib/storage/emails/email-heads.ts';
import { holdEmail, listHeld } from '../../../lib/storage/pacing/held-emails.ts';
import { commit } from '../../../lib/storage/table/transactions.ts';
import { storedHead, threadOf } from '../../support/stored-mail.ts';
import { workspace } from '../../support/workspace.ts';

it('releaseByHand releases each of more held emails than one transaction takes', async () => {
  const { id: workspaceId } = await workspace();
  const heads = Array.from({ length: 31 }, () => storedHead({ status: 'queued', createdAt: now() }));
  for (const head of heads) {
    const { id: emailId, spaceId, from, subject } = head;
    const to = ['anna@example.test'];
    const names = { spaceId, from: from.address, fromName: null, to, shownTo: to, subject, isCounted: true };
    const message = submitMailboxMessage(workspaceId, emailId, null);
    const held = { position: heldPosition(head), emailId, ...names, message };
    const writes = [...createEmail(workspaceId, head), ...threadOf(workspaceId, head)];
    await commit(workspaceId, [...writes, ...holdEmail(workspaceId, held, [])]);
  }
  const ids = heads.map(({ id }) => id);
  expect((await releaseByHand(workspaceId, ids, true)).toSorted()).toEqual(ids.toSorted());
  expect((await listHeld(workspaceId, '', 100)).items).toEqual([]);
});
