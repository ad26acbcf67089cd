/** `person erase` of much mail: its calls grow with the mail, and a run that follows one that was killed does not repeat its work. */
import { expect, it } from 'vitest';
import { now } from '../../../lib/adapters/clock.ts';
import { newId } from '../../../lib/adapters/ids.ts';
import type { ThreadId, WorkspaceId } from '../../../lib/core/ids.ts';
import { each } from '../../../lib/core/work/all-done.ts';
import { erasePerson, type PersonErasure } from '../../../lib/services/erasure/erase-person.ts';
import { storeContent } from '../../../lib/storage/emails/email-content.ts';
import { createEmail } from '../../../lib/storage/emails/email-heads.ts';
import { commit } from '../../../lib/storage/table/transactions.ts';
import { createThread, findThread } from '../../../lib/storage/threads/threads.ts';
import { fromBuyer, storedContent, storedHead } from '../../support/stored-mail.ts';
import { interceptTable } from '../../support/table-calls.ts';
import { workspace } from '../../support/workspace.ts';

const person = 'anna@person.example';
const anna = { name: null, address: person };

/** Threads of the person, each with so many emails. */
async function storeMail(workspaceId: WorkspaceId, threads: number, emailsOfEach: number): Promise<void> {
  await each(Array(threads).fill(emailsOfEach), 8, async (emails) => {
    await storeThread(workspaceId, emails);
  });
}

async function storeThread(workspaceId: WorkspaceId, emails: number): Promise<ThreadId> {
  const id = newId('thr');
  const thread = { id, spaceId: null, subject: 'Order', mailbox: 'a@own.test', forwardOf: null };
  const activity = { ...fromBuyer, emailId: newId('eml'), at: now(), snippet: '', participants: [] };
  await commit(workspaceId, createThread(workspaceId, thread, { ...activity, mailboxes: [] }));
  await storeEmails(workspaceId, id, emails);
  return id;
}

async function storeEmails(workspaceId: WorkspaceId, threadId: ThreadId, emails: number): Promise<void> {
  await each(Array(emails).fill(threadId), 8, async () => {
    const head = storedHead({ threadId, from: anna });
    await storeContent(workspaceId, head.id, storedContent('text'));
    await commit(workspaceId, createEmail(workspaceId, head));
  });
}

interface Counted {
  readonly calls: number;
  /** Items that were read. */
  readonly read: number;
  /** null: the run was killed. */
  readonly emails: number | null;
}

/** Erases the person with so many calls of the table at most. */
async function erase(workspaceId: WorkspaceId, callsMax = Number.POSITIVE_INFINITY): Promise<Counted> {
  let [calls, read] = [0, 0];
  const emails: (number | null)[] = [];
  await interceptTable(
    async (input, send) => {
      calls += 1;
      if (calls > callsMax) throw new Error('killed');
      const output = await send(input);
      const { Items = [], Responses = {} } = output as Readonly<Record<string, object>>;
      read += [Items, ...Object.values(Responses)].flat().length;
      return output;
    },
    async () => {
      const erasing = erasePerson(workspaceId, person, { isDryRun: false });
      const erased: PersonErasure | null = await erasing.catch((error) => {
        if (calls <= callsMax) throw error;
        return null;
      });
      emails.push(erased?.counts.emails ?? null);
    },
  );
  return { calls, read, emails: emails[0] ?? null };
}

it('reads the emails of a thread twice, however many are erased', async () => {
  const readFor = async (emails: number) => {
    const { id } = await workspace();
    await storeMail(id, 1, emails);
    const { read, emails: erased } = await erase(id);
    expect(erased).toBe(emails);
    return read;
  };
  expect((await readFor(120)) / (await readFor(30))).toBeLessThan(4.5);
});

it('erases a thread whose emails are on several pages', async () => {
  const { id } = await workspace();
  const threadId = await storeThread(id, 5);
  await storeMail(id, 100, 1);
  await storeEmails(id, threadId, 5);
  expect((await erase(id)).emails).toBe(110);
  expect(await findThread(id, threadId)).toBeNull();
});

it('goes on where a killed run was', async () => {
  const [{ id }, { id: other }] = [await workspace(), await workspace()];
  for (const of of [id, other]) await storeMail(of, 120, 1);
  const whole = await erase(id);
  const killed = await erase(other, Math.floor(whole.calls / 2));
  const continued = await erase(other);
  expect([whole.emails, killed.emails]).toEqual([120, null]);
  expect(continued.emails).toBeGreaterThan(20);
  expect(continued.emails).toBeLessThan(100);
  expect(killed.calls + continued.calls).toBeLessThan(1.4 * whole.calls);
  const again = await erase(other);
  expect(again.emails).toBe(0);
  expect(again.calls).toBeLessThan(30);
});
