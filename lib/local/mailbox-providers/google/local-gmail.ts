/** A Gmail mailbox as the control routes and the webmail see it. */
import type { LocalMailbox, MailFolder, StoredMail } from '../local-mailbox.ts';
import type { GmailMailbox, GmailMessage } from './gmail-mailbox.ts';

const labels: Readonly<Record<MailFolder, string>> = {
  inbox: 'INBOX',
  sent: 'SENT',
  drafts: 'DRAFT',
  spam: 'SPAM',
  trash: 'TRASH',
};
/** A message has one folder for people: the first of these whose label it has. */
const order: readonly MailFolder[] = ['trash', 'spam', 'drafts', 'inbox', 'sent'];

/** @param send as `users.messages.send` does */
export function localGmail(mailbox: GmailMailbox, send: LocalMailbox['send']): LocalMailbox {
  return {
    list: () => mailbox.messages().map(presentMessage),
    put: (raw, folder) => {
      if (folder === 'inbox') mailbox.receive(raw);
      else mailbox.add(raw, [labels[folder]], null);
    },
    move: (id, folder) => {
      const remove = order
        .filter((other) => other !== folder && other !== 'sent')
        .map((other) => labels[other]);
      return mailbox.relabel(id, { add: [labels[folder]], remove }) !== null;
    },
    remove: mailbox.remove,
    forgetHistory: () => void mailbox.forgetHistory(),
    send,
  };
}

function presentMessage({ id, threadId, labelIds, internalDate, raw, facts }: GmailMessage): StoredMail {
  const folder = order.find((name) => labelIds.includes(labels[name])) ?? 'inbox';
  return { id, threadId, folder, at: internalDate, raw, facts };
}
