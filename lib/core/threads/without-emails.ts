/** A thread after the deletion of some of its emails: nothing of it is of these any more. */
import { type Address, addressKey } from '../../mail/addresses/addresses.ts';
import { normalizeSubject } from '../../mail/threading/subject.ts';
import { directionOf, type EmailHead } from '../emails/email.ts';
import type { Thread } from './thread.ts';

/**
 * The thread with only these of its emails. Its place in lists stays, as do the addresses on our side.
 *
 * @param left oldest first
 */
export function threadWithOnly(thread: Thread, left: readonly [EmailHead, ...EmailHead[]]): Thread {
  const [oldest] = left;
  const newest = left.reduce((one, other) => (other.createdAt >= one.createdAt ? other : one));
  const names = namesIn(left);
  const senders = new Set(left.map(({ from }) => addressKey(from.address)));
  const recipients = new Set(left.flatMap(({ to }) => to.map(({ address }) => addressKey(address))));
  const directions = new Set(left.map(({ status }) => directionOf(status)));
  const ids = new Set(left.map(({ id }) => id));
  const keepsSubject = left.some(
    ({ subject }) =>
      subject === thread.subject || normalizeSubject(subject) === normalizeSubject(thread.subject),
  );
  return {
    ...thread,
    subject: keepsSubject ? thread.subject : oldest.subject,
    participants: thread.participants.flatMap(({ address }) => {
      const key = addressKey(address);
      return names.has(key) ? [{ name: names.get(key) ?? null, address }] : [];
    }),
    correspondence: {
      last: directionOf(newest.status),
      hasInbound: directions.has('inbound'),
      hasOutbound: directions.has('outbound'),
      senders: thread.correspondence.senders.filter((address) => senders.has(address)),
      recipients: thread.correspondence.recipients.filter((address) => recipients.has(address)),
    },
    messageCount: left.length,
    snippet: newest.snippet,
    newestEmailId: newest.id,
    ...(thread.followUps && { followUps: thread.followUps.filter((id) => ids.has(id)) }),
    version: thread.version + 1,
  };
}

/** The addresses of emails, each with the first name that it has there. */
function namesIn(emails: readonly EmailHead[]): ReadonlyMap<string, string | null> {
  const names = new Map<string, string | null>();
  const add = ({ name, address }: Address) => {
    const key = addressKey(address);
    names.set(key, names.get(key) ?? name);
  };
  for (const { from, to, others } of emails) [from, ...to, ...others].forEach(add);
  return names;
}
