import { describe, expect, it } from 'vitest';
import { createPeople, type Entry, postedMail } from '../../../lib/local/inbox/people.ts';

const mail = (fields: string, body = '') => postedMail(Buffer.from(`${fields}\r\n\r\n${body}`));

function setUp(limits: { messagesMax?: number; bytesMax?: number } = {}) {
  const added: Entry[] = [];
  const people = createPeople({ now: () => 1000, onAdded: (entry) => added.push(entry), ...limits });
  return { people, added };
}

describe('people of the inbox', () => {
  it('are listed with the newest mail first, by address without case, with the name that was given last', () => {
    const { people } = setUp();
    people.add(mail('To: Anna <anna@x.test>'), { people: ['anna@x.test'], direction: 'received' });
    people.add(mail('To: ben@x.test'), { people: ['ben@x.test'], direction: 'received' });
    people.add(mail('From: "Anna Berg" <Anna@X.test>'), { people: ['Anna@X.test'], direction: 'sent' });
    const [anna, ben] = people.list();
    expect([anna?.address, anna?.name, anna?.entries.length]).toEqual(['anna@x.test', 'Anna Berg', 2]);
    expect(ben?.address).toBe('ben@x.test');
  });

  it('have unread mail until it is read, and what they sent is never unread', () => {
    const { people } = setUp();
    people.add(mail('To: a@x.test'), { people: ['a@x.test'], direction: 'received' });
    people.add(mail('From: a@x.test'), { people: ['a@x.test'], direction: 'sent' });
    expect(people.find('A@x.test')?.unread).toBe(1);
    people.markRead('A@x.test');
    expect(people.find('a@x.test')?.unread).toBe(0);
  });

  it('each have a mail to several of them once', () => {
    const { people, added } = setUp();
    const to = ['a@x.test', 'A@x.test', 'b@x.test'];
    people.add(mail('To: a@x.test, b@x.test'), { people: to, direction: 'received' });
    expect(added.map(({ person, position }) => [person, position])).toEqual([
      ['a@x.test', 1],
      ['b@x.test', 2],
    ]);
  });

  it('lose the oldest messages beyond the limits, and are gone with their last one', () => {
    const { people } = setUp({ messagesMax: 2, bytesMax: 10_000 });
    for (const name of ['a', 'b', 'c']) {
      people.add(mail(`To: ${name}@x.test`), { people: [`${name}@x.test`], direction: 'received' });
    }
    expect(people.list().map(({ address }) => address)).toEqual(['c@x.test', 'b@x.test']);
    const large = mail('To: d@x.test', 'x'.repeat(20_000));
    people.add(large, { people: ['d@x.test'], direction: 'received' });
    expect(people.list().map(({ address }) => address)).toEqual(['d@x.test']);
  });
});
