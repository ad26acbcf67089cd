/** The index of Message-IDs: known messages come before missing parents, and both stay in their space. */
import { describe, expect, it } from 'vitest';
import { newId } from '../../../lib/adapters/ids.ts';
import { wireMessageId } from '../../../lib/core/emails/message-ids.ts';
import { lookUpArrival } from '../../../lib/storage/emails/arrivals.ts';
import {
  findEmailByMessageId,
  findThreadsByMessageId,
  indexArrivingId,
  indexMessageId,
  waitForMissingParents,
} from '../../../lib/storage/emails/message-ids.ts';
import { claimReceived } from '../../../lib/storage/emails/received.ts';
import { ConditionFailed, transact } from '../../../lib/storage/table/transactions.ts';

const newMessage = () => ({ emailId: newId('eml'), threadId: newId('thr') });
const newCase = () => ({
  workspace: newId('wks'),
  id: `<${newId('eml').slice(4)}@x.test>`,
  space: newId('spc'),
  waiting: newId('thr'),
});

async function wait(of: ReturnType<typeof newCase>, ids: readonly string[], threadId = of.waiting) {
  await transact(waitForMissingParents(of.workspace, null, ids, { own: '<own@x.test>', threadId }));
}

describe('the id of a missing parent', () => {
  it('leads to the waiting thread in its space only, and to no email', async () => {
    const of = newCase();
    await wait(of, [of.id]);
    const found = await findThreadsByMessageId(of.workspace, null, [of.id]);
    expect([...found]).toEqual([
      [of.id, { threadId: of.waiting, emailId: null, isMissing: true, fingerprint: null }],
    ]);
    expect((await findThreadsByMessageId(of.workspace, of.space, [of.id])).size).toBe(0);
    expect(await findEmailByMessageId(of.workspace, null, of.id)).toBeNull();
  });

  it('leads to our own mail when that is submitted after somebody cited it', async () => {
    const of = newCase();
    const id = wireMessageId('eu-central-1', of.waiting.slice(4));
    const sent = newMessage();
    await wait(of, [id]);
    await transact([indexMessageId(of.workspace, null, id, sent)]);
    const found = await findThreadsByMessageId(of.workspace, null, [id]);
    expect(found.get(id)).toEqual({ ...sent, isMissing: false, fingerprint: null });
  });

  it('belongs to the first waiting thread only, and to none when its message exists', async () => {
    const of = newCase();
    await wait(of, [of.id]);
    await expect(wait(of, [of.id], newId('thr'))).rejects.toThrow(ConditionFailed);
    await transact([indexMessageId(of.workspace, null, '<there@x.test>', newMessage())]);
    await expect(wait(of, ['<there@x.test>'])).rejects.toThrow(ConditionFailed);
  });

  it('is written once when it is cited several times, and never for the message itself or one of our own ids', () => {
    const of = newCase();
    const wire = ['<1-2@email.amazonses.com>', '<1-2@eu-west-1.amazonses.com>'];
    const ids = [...wire, '<own@x.test>', `<${newId('eml')}@x.test>`];
    const given = { own: '<own@x.test>', threadId: of.waiting };
    expect(waitForMissingParents(of.workspace, null, ids, given)).toHaveLength(1);
  });
});

describe('the id of an arriving message', () => {
  it('is refused when a thread began to wait for it after the look-up', async () => {
    const of = newCase();
    const message = newMessage();
    await wait(of, [of.id]);
    const arriving = (waitingThread: typeof of.waiting | null) =>
      transact([
        indexArrivingId(of.workspace, null, of.id, { ...message, waitingThread, fingerprint: null }),
      ]);
    await expect(arriving(null)).rejects.toThrow(ConditionFailed);
    await arriving(of.waiting);
    expect(await findEmailByMessageId(of.workspace, null, of.id)).toBe(message.emailId);
  });
});

describe('the claim of an arriving message', () => {
  async function receivedAs(
    { workspace: workspaceId }: ReturnType<typeof newCase>,
    messageId: string | null,
    { fingerprint }: { readonly fingerprint: string },
  ) {
    const message = { messageId, inReplyTo: [], references: [], from: null };
    return (await lookUpArrival({ workspaceId, spaceId: null }, { fingerprint, message })).receivedAs;
  }
  const [first, second] = [{ fingerprint: 'f1' }, { fingerprint: 'f2' }];

  it('is held by the item of its id when no other message has the id', async () => {
    const of = newCase();
    const message = newMessage();
    const received = (messageId: string | null, claim = first) => receivedAs(of, messageId, claim);
    expect(await received(of.id)).toBeNull();
    await wait(of, [of.id]);
    const owner = { ...message, waitingThread: of.waiting, ...first };
    await transact([indexArrivingId(of.workspace, null, of.id, owner)]);
    expect(await received(of.id)).toBe(message.emailId);
    expect([await received(null), await received(of.id, second)]).toEqual([null, null]);
    expect(await findEmailByMessageId(of.workspace, null, of.id)).toBe(message.emailId);
  });

  it('is refused when another message has taken the id, which then keeps its email', async () => {
    const of = newCase();
    const [message, later] = [newMessage(), newMessage()];
    const claim = (owner: typeof message, by: typeof first) =>
      transact([indexArrivingId(of.workspace, null, of.id, { ...owner, waitingThread: null, ...by })]);
    await transact([indexMessageId(of.workspace, null, of.id, message)]);
    await expect(claim(later, first)).rejects.toThrow(ConditionFailed);
    await transact([
      claimReceived(of.workspace, null, second.fingerprint, later.emailId),
      indexArrivingId(of.workspace, null, of.id, { ...later, waitingThread: null, fingerprint: null }),
    ]);
    expect([
      await receivedAs(of, of.id, second),
      await findEmailByMessageId(of.workspace, null, of.id),
    ]).toEqual([later.emailId, message.emailId]);
  });
});
