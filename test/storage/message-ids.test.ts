/** The index of Message-IDs: known messages come before missing parents, and both stay in their space. */
import { describe, expect, it } from 'vitest';
import { newId } from '../../lib/adapters/ids.ts';
import { wireMessageId } from '../../lib/core/mail/message-ids.ts';
import { lookUpArrival } from '../../lib/storage/arrivals.ts';
import { createEmail } from '../../lib/storage/emails.ts';
import { messageIdKey } from '../../lib/storage/keys.ts';
import {
  findEmailByMessageId,
  findThreadsByMessageId,
  indexArrivingId,
  indexMessageId,
  waitForMissingParents,
} from '../../lib/storage/message-ids.ts';
import { claimReceived } from '../../lib/storage/received.ts';
import { reindexMessageIds } from '../../lib/storage/reindex-message-ids.ts';
import { put } from '../../lib/storage/table.ts';
import { ConditionFailed, transact } from '../../lib/storage/transactions.ts';
import { storedHead } from '../support/stored-mail.ts';

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
      transact([indexArrivingId(of.workspace, null, of.id, { ...message, waitingThread })]);
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
    const message = { messageId, inReplyTo: [], references: [] };
    return (await lookUpArrival({ workspaceId, spaceId: null }, { fingerprint, message })).receivedAs;
  }
  const [first, second] = [{ fingerprint: 'f1' }, { fingerprint: 'f2' }];

  it('is held by the item of its id when no other message has the id', async () => {
    const of = newCase();
    const message = newMessage();
    const received = (messageId: string | null, claim = first) => receivedAs(of, messageId, claim);
    expect(await received(of.id)).toBeNull();
    await wait(of, [of.id]);
    const owner = { ...message, waitingThread: of.waiting };
    await transact([indexArrivingId(of.workspace, null, of.id, owner, first)]);
    expect(await received(of.id)).toBe(message.emailId);
    expect([await received(null), await received(of.id, second)]).toEqual([null, null]);
    expect(await findEmailByMessageId(of.workspace, null, of.id)).toBe(message.emailId);
  });

  it('is refused when another message has taken the id, which then keeps its email', async () => {
    const of = newCase();
    const [message, later] = [newMessage(), newMessage()];
    const claim = (owner: typeof message, by: typeof first) =>
      transact([indexArrivingId(of.workspace, null, of.id, { ...owner, waitingThread: null }, by)]);
    await transact([indexMessageId(of.workspace, null, of.id, message)]);
    await expect(claim(later, first)).rejects.toThrow(ConditionFailed);
    await transact([
      claimReceived(of.workspace, null, second.fingerprint, later.emailId),
      indexArrivingId(of.workspace, null, of.id, { ...later, waitingThread: null }),
    ]);
    expect([
      await receivedAs(of, of.id, second),
      await findEmailByMessageId(of.workspace, null, of.id),
    ]).toEqual([later.emailId, message.emailId]);
  });
});

describe('reindexMessageIds', () => {
  /** A received email as version 0.1.0 stored it: its ids are indexed with their capitals. */
  async function receive010(
    of: ReturnType<typeof newCase>,
    messageId: string,
    inReplyTo: string | null = null,
  ) {
    const head = storedHead({ status: 'received', messageId, inReplyTo });
    await transact(createEmail(of.workspace, head));
    await put({
      ...messageIdKey(of.workspace, null, messageId),
      emailId: head.id,
      threadId: head.threadId,
    });
    return head;
  }
  const reindexAll = async (of: ReturnType<typeof newCase>, after: string | null = null): Promise<number> => {
    const { listed, next } = await reindexMessageIds(of.workspace, { limit: 2, after });
    return listed + (next === null ? 0 : await reindexAll(of, next));
  };

  it('makes ids with capitals known, each for its first email, again without effect', async () => {
    const of = newCase();
    const first = await receive010(of, '<CAF=One@Mail.Example.test>');
    await receive010(of, '<CAF=One@Mail.Example.test>');
    await receive010(of, '<lower@x.test>');
    const cited = ['<CAF=One@Mail.Example.test>', '<caf=one@mail.example.test>'];
    expect((await findThreadsByMessageId(of.workspace, null, cited)).size).toBe(0);
    expect(await reindexAll(of)).toBe(2);
    const known = { threadId: first.threadId, emailId: first.id, isMissing: false, fingerprint: null };
    const found = async () => [...(await findThreadsByMessageId(of.workspace, null, cited)).values()];
    expect(await found()).toEqual([known, known]);
    expect(await reindexAll(of)).toBe(2);
    expect(await found()).toEqual([known, known]);
  });

  it('continues where it was interrupted, and keeps what arrived meanwhile', async () => {
    const of = newCase();
    const older = await receive010(of, '<A@x.test>');
    await receive010(of, '<B@x.test>');
    const last = await receive010(of, '<C@x.test>');
    const arrived = newMessage();
    await transact([indexMessageId(of.workspace, null, '<b@x.test>', arrived)]);
    await reindexMessageIds(of.workspace, { limit: 1, after: null });
    expect(await findEmailByMessageId(of.workspace, null, '<a@x.test>')).toBe(older.id);
    expect(await findEmailByMessageId(of.workspace, null, '<c@x.test>')).toBeNull();
    await reindexAll(of);
    expect(await findEmailByMessageId(of.workspace, null, '<c@x.test>')).toBe(last.id);
    expect(await findEmailByMessageId(of.workspace, null, '<b@x.test>')).toBe(arrived.emailId);
  });

  it('keeps a thread waiting for a missing parent whose id has capitals', async () => {
    const of = newCase();
    const parent = '<Parent@x.test>';
    await receive010(of, '<child@x.test>', parent);
    await put({ ...messageIdKey(of.workspace, null, parent), waitingThread: of.waiting });
    await reindexAll(of);
    const found = await findThreadsByMessageId(of.workspace, null, [parent]);
    expect([...found.values()]).toEqual([
      { threadId: of.waiting, emailId: null, isMissing: true, fingerprint: null },
    ]);
  });
});
