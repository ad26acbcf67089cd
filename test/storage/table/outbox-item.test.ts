import { expect, it } from 'vitest';
import { now } from '../../../lib/adapters/clock.ts';
import { newId } from '../../../lib/adapters/ids.ts';
import type { EmailId } from '../../../lib/core/ids.ts';
import { outboxDays } from '../../../lib/core/limits.ts';
import { newEvent } from '../../../lib/services/events/new-event.ts';
import { readableMessagesIn } from '../../../lib/storage/table/outbox.ts';
import { withMessages } from '../../../lib/storage/table/outbox-item.ts';
import { absent, createdOnce, createdOnceOf } from '../../../lib/storage/table/transactions.ts';

const workspaceId = newId('wks');
const [anna, ben] = [newId('eml'), newId('eml')];
const eventOf = (emailId: EmailId) => ({ message: newEvent(workspaceId, 'email.sent', 1, { emailId }) });
const thread = newEvent(workspaceId, 'thread.created', 1, { threadId: newId('thr') });
const other = { message: thread };

const put = (name: string, more: object = {}) => ({ as: name, put: { pk: name, sk: name }, ...more });
/** Each item that has messages: its partition, what they are about, and whether it expires. */
const placed = (writes: ReturnType<typeof withMessages>) =>
  writes.flatMap((write) => {
    const messages = 'put' in write ? readableMessagesIn(write.put) : [];
    if (!('put' in write) || messages.length === 0) return [];
    const about = messages.map(({ message }) => ('subject' in message ? message.subject : null));
    return [{ pk: write.put.pk, about, expiresAt: write.put.expiresAt }];
  });

it('stores messages in the first item that can carry them', () => {
  const writes = [put('head', absent), put('entry', createdOnce), put('second', createdOnce)];
  expect(placed(withMessages(workspaceId, writes, [other, other]))).toEqual([
    { pk: 'entry', about: [thread.subject, thread.subject], expiresAt: undefined },
  ]);
});

it('stores them in an item that expires where none can carry them', () => {
  expect(placed(withMessages(workspaceId, [put('head', absent)], [other]))).toEqual([
    {
      pk: `W#${workspaceId}#OUT`,
      about: [thread.subject],
      expiresAt: Math.ceil(now() / 1000) + outboxDays * 86_400,
    },
  ]);
});

it('stores messages of events with their email, in an item of it or among its parts', () => {
  const writes = [put('other', createdOnce), put('entry', createdOnceOf(anna))];
  const messages = [eventOf(anna), other, eventOf(ben), eventOf(anna), eventOf(ben)];
  expect(placed(withMessages(workspaceId, writes, messages))).toEqual([
    { pk: 'other', about: [thread.subject], expiresAt: undefined },
    { pk: 'entry', about: [{ emailId: anna }, { emailId: anna }], expiresAt: undefined },
    { pk: `W#${workspaceId}#E#${ben}`, about: [{ emailId: ben }, { emailId: ben }], expiresAt: undefined },
  ]);
});

it('changes no write without messages', () => {
  const writes = [put('entry', createdOnceOf(anna))];
  expect(withMessages(workspaceId, writes, [])).toEqual(writes);
});
