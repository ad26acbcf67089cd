import { describe, expect, it } from 'vitest';
import { now } from '../../../lib/adapters/clock.ts';
import type { EmailId } from '../../../lib/core/ids.ts';
import { releaseTorn } from '../../../lib/services/restoring/release-torn.ts';
import { findEmail, listEmails } from '../../../lib/storage/emails/email-heads.ts';
import type { ReceivedClaim } from '../../../lib/storage/restoring/received-claims.ts';
import { scanUncertain } from '../../../lib/storage/restoring/unsubmitted.ts';
import { emailKey } from '../../../lib/storage/table/keys.ts';
import { remove } from '../../../lib/storage/table/table.ts';
import { api } from '../../support/api.ts';
import { arrivingMessage } from '../../support/arriving-message.ts';
import { cloud } from '../../support/cloud.ts';
import { workspace } from '../../support/workspace.ts';

const lines = ['From: ann@buyer.test', 'To: desk@own.test', '', 'Hi'];

async function setting() {
  const own = await workspace();
  const since = now();
  const claims = async () => {
    const found: ReceivedClaim[] = [];
    for await (const one of scanUncertain(since)) {
      if ('emailId' in one && one.workspaceId === own.id) found.push(one);
    }
    return found;
  };
  const message = (...headers: string[]) => arrivingMessage({ workspaceId: own.id }, [...headers, ...lines]);
  const emails = async () => (await listEmails(own.id, {}, { limit: 10, after: null })).items;
  /** As where the copy has everything but the head. */
  const tear = (id: EmailId) => remove(emailKey(own.id, id));
  return { own, claims, message, emails, tear };
}

describe('a received message whose claim has come without its email', () => {
  it.each([
    ['with a Message-ID', ['Message-ID: <order-7@buyer.test>']],
    ['without a Message-ID', []],
  ])('%s is received again, and not before its claim is released', async (_, headers) => {
    const { own, claims, message, emails, tear } = await setting();
    const receive = await message(...headers);
    const id = await receive();
    await tear(id);
    expect(await receive()).toBe(id);
    expect(await releaseTorn(await claims(), true)).toEqual([`${own.id}/${id}`]);
    expect(await receive()).toBe(id);
    expect(await releaseTorn(await claims(), false)).toEqual([`${own.id}/${id}`]);
    const again = await receive();
    expect((await emails()).map((one) => one.id)).toEqual([again]);
    expect(await receive()).toBe(again);
    expect(await releaseTorn(await claims(), false)).toEqual([]);
  });

  it('joins the thread that waits for it', async () => {
    const { own, claims, message, tear } = await setting();
    const answer = await (
      await message('Message-ID: <answer@buyer.test>', 'In-Reply-To: <first@buyer.test>')
    )();
    const receive = await message('Message-ID: <first@buyer.test>');
    await tear(await receive());
    expect(await releaseTorn(await claims(), false)).toHaveLength(1);
    const [first, waiting] = [await findEmail(own.id, await receive()), await findEmail(own.id, answer)];
    expect(first?.threadId).toBe(waiting?.threadId);
  });
});

it('is not for messages whose email is there, nor for those that were deleted', async () => {
  const { own, claims, message, emails } = await setting();
  const [kept, deleted] = [
    await message('Message-ID: <kept@x.test>'),
    await message('Message-ID: <gone@x.test>'),
  ];
  const [keptId, deletedId] = [await kept(), await deleted()];
  expect((await api(own).delete(`/emails/${deletedId}`)).status).toBe(204);
  await cloud().waitForQuiescence();
  expect(await releaseTorn(await claims(), false)).toEqual([]);
  for (const receive of [kept, deleted]) await receive();
  expect((await emails()).map(({ id }) => id)).toEqual([keptId]);
});
