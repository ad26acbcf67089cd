/** An Outlook mailbox as the control routes and the webmail see it. */
import type { LocalMailbox, MailFolder, StoredMail } from '../local-mailbox.ts';
import type { FolderName, GraphMailbox, GraphMessage } from './graph-mailbox.ts';

const folders: Readonly<Record<MailFolder, FolderName>> = {
  inbox: 'inbox',
  sent: 'sentitems',
  drafts: 'drafts',
  spam: 'junkemail',
  trash: 'deleteditems',
};

/** @param send puts a message into Sent Items and delivers it */
export function localGraph(mailbox: GraphMailbox, send: (raw: Buffer) => void): LocalMailbox {
  return {
    list: () => mailbox.messages().map(presentMessage),
    put: (raw, folder) => {
      if (folder === 'inbox') mailbox.receive(raw);
      else mailbox.add({ raw, folder: folders[folder], isDraft: folder === 'drafts' });
    },
    move: (id, folder) => {
      const message = mailbox.find(id);
      if (message) mailbox.move(message, folders[folder]);
      return message !== undefined;
    },
    remove: (id) => {
      const message = mailbox.find(id);
      if (message) mailbox.remove(message);
      return message !== undefined;
    },
    forgetHistory: mailbox.forgetChanges,
    // The conversation follows from the header fields.
    send: (raw) => send(raw),
  };
}

function presentMessage(message: GraphMessage): StoredMail {
  const { immutableId, conversationId, folder, receivedAt, raw, facts } = message;
  const name = (Object.keys(folders) as MailFolder[]).find((key) => folders[key] === folder) ?? 'inbox';
  return { id: immutableId, threadId: conversationId, folder: name, at: receivedAt, raw, facts };
}
