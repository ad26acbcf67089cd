/** Delivers what the people of the local inbox write, and puts mail that others deliver into their mailboxes. */
import type { MailboxProviders } from '../mailbox-providers/mailbox-providers.ts';
import type { IncomingMail } from '../ses/incoming-mail.ts';
import type { SentMail } from '../ses/sent-mail.ts';
import type { LocalSes } from '../ses/ses.ts';
import { type People, postedMail } from './people.ts';

export interface Post {
  /** Delivers a mail of a person: by SES, to emulated mailboxes, to other people. Returns whom nobody received it for. */
  deliver(mail: IncomingMail): Promise<Delivered>;
  /** Notes mail that came by SMTP. */
  noteArrived(mail: IncomingMail, refused: readonly string[]): void;
  /** Notes mail that SES accepted for delivery. */
  noteSent(mail: SentMail): Promise<void>;
}

export interface Delivered {
  /** Addresses of the service that received it. */
  readonly received: readonly string[];
  /** Other people, who have it in their mailbox. */
  readonly people: readonly string[];
}

export interface PostOptions {
  readonly people: Pick<People, 'add'>;
  readonly ses: Pick<LocalSes, 'accepts' | 'receive'>;
  readonly mailboxProviders: Pick<MailboxProviders, 'receive'>;
}

export function createPost({ people, ses, mailboxProviders }: PostOptions): Post {
  const noteArrived = (mail: IncomingMail, refused: readonly string[]) => {
    const posted = postedMail(mail.raw);
    const author = posted.facts.from[0] ?? mail.from;
    if (author !== '') people.add(posted, { people: [author], direction: 'sent' });
    if (refused.length > 0) people.add(posted, { people: refused, direction: 'received' });
  };

  return {
    noteArrived,
    async deliver(mail) {
      const others = mailboxProviders.receive(mail);
      const { refused } = await ses.receive({ ...mail, recipients: others });
      noteArrived(mail, refused);
      return { received: mail.recipients.filter((address) => !refused.includes(address)), people: refused };
    },
    async noteSent(mail) {
      const isOwn = await Promise.all(mail.recipients.map(ses.accepts));
      const outside = mail.recipients.filter((_, at) => !isOwn[at]);
      if (outside.length > 0)
        people.add(postedMail(mail.wire, mail), { people: outside, direction: 'received' });
    },
  };
}
