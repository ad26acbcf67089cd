import { describe, expect, it } from 'vitest';
import { composeId } from '../../../lib/core/ids.ts';
import { addCorrespondence, noCorrespondence } from '../../../lib/core/threads/thread.ts';
import {
  foundThread,
  type SearchedThread,
  searchMatcher,
  searchPage,
  type ThreadOrder,
  type ThreadSearchFilter,
} from '../../../lib/core/threads/thread-search.ts';

const day = 86_400_000;
const now = 100 * day;
const any: ThreadSearchFilter = {
  createdAfter: null,
  createdBefore: null,
  lastEmailAfter: null,
  lastEmailBefore: null,
  participants: [],
  from: null,
  to: null,
  subject: null,
  direction: null,
  state: null,
  staleAfterDays: 7,
};

const person = (address: string) => ({ name: null, address });

/** Anna wrote to support first; `answered`: support answered. */
function thread(at: number, more: Partial<SearchedThread> & { answered?: boolean } = {}): SearchedThread {
  const { answered = false, ...given } = more;
  const [anna, support] = [person('Anna@example.test'), person('support@acme.dev')];
  const asked = addCorrespondence(noCorrespondence, { direction: 'inbound', from: anna, to: [support] });
  const replied = addCorrespondence(asked, { direction: 'outbound', from: support, to: [anna] });
  return {
    id: composeId('thr', at, new Uint8Array(10)),
    subject: 'Your Order',
    participants: [anna, support],
    createdAt: at,
    lastMessageAt: at + day,
    correspondence: answered ? replied : asked,
    ...given,
  };
}

describe('searchMatcher', () => {
  const asked = thread(10 * day);
  const answered = thread(95 * day, { answered: true, subject: 'Rechnung Ä' });

  it.each<[string, Partial<ThreadSearchFilter>, [asked: boolean, answered: boolean]]>([
    ['nothing', {}, [true, true]],
    ['createdAfter', { createdAfter: 10 * day }, [false, true]],
    ['createdBefore', { createdBefore: 95 * day }, [true, false]],
    ['lastEmailAfter', { lastEmailAfter: 11 * day }, [false, true]],
    ['lastEmailBefore', { lastEmailBefore: 12 * day }, [true, false]],
    ['a participant', { participants: ['ANNA@example.test'] }, [true, true]],
    ['every participant', { participants: ['anna@example.test', 'ben@example.test'] }, [false, false]],
    ['a sender', { from: 'support@acme.dev' }, [false, true]],
    ['a recipient', { to: 'support@ACME.dev' }, [true, true]],
    ['a subject without case', { subject: 'rechnung ä' }, [false, true]],
    ['inbound', { direction: 'inbound' }, [true, true]],
    ['outbound', { direction: 'outbound' }, [false, true]],
    ['needs_reply', { state: 'needs_reply' }, [true, false]],
    ['awaiting_reply', { state: 'awaiting_reply' }, [false, true]],
    ['active', { state: 'active' }, [false, true]],
    ['stale', { state: 'stale' }, [true, false]],
    ['stale after a day', { state: 'stale', staleAfterDays: 1 }, [true, true]],
    ['filters together', { state: 'stale', subject: 'order', from: 'anna@example.test' }, [true, false]],
    ['filters of which one fails', { state: 'stale', subject: 'rechnung' }, [false, false]],
  ])('passes the right threads when the filter is %s', (_, filter, expected) => {
    const matches = searchMatcher({ ...any, ...filter }, now);
    expect([matches(asked), matches(answered)]).toEqual(expected);
  });
});

describe('searchPage', () => {
  const threads = [
    thread(3, { subject: 'b', lastMessageAt: 10 }),
    thread(1, { subject: 'A', lastMessageAt: 30 }),
    thread(2, { subject: 'c', lastMessageAt: 20 }),
    thread(4, { subject: 'B', lastMessageAt: 20 }),
  ];
  const createdAt = (order: ThreadOrder, limit = 10, offset = 0) => {
    const found = threads.map((one) => foundThread(one, order));
    const byId = new Map(threads.map((one) => [one.id, one.createdAt]));
    return searchPage(found, order, { limit, offset }).map(({ id }) => byId.get(id));
  };

  it.each<[ThreadOrder, number[]]>([
    [{ by: 'createdAt', order: 'asc' }, [1, 2, 3, 4]],
    [{ by: 'createdAt', order: 'desc' }, [4, 3, 2, 1]],
    [{ by: 'lastEmailAt', order: 'asc' }, [3, 2, 4, 1]],
    [{ by: 'lastEmailAt', order: 'desc' }, [1, 4, 2, 3]],
    [{ by: 'subject', order: 'asc' }, [1, 3, 4, 2]],
    [{ by: 'subject', order: 'desc' }, [2, 4, 3, 1]],
  ])('orders threads, those of one rank by creation, when the order is %o', (order, expected) => {
    expect(createdAt(order)).toEqual(expected);
    expect([...createdAt(order, 3), ...createdAt(order, 3, 3)]).toEqual(expected);
    expect(createdAt(order, 3, 4)).toEqual([]);
  });
});
