/** Drafts of version 1: emails that are stored and not sent (docs/concepts/v1.md#drafts). */

import { mergeParticipants } from '../../mail/threading/participants.ts';
import type { EmailContent, EmailHead, FullEmail } from '../emails/email.ts';
import type { ThreadId } from '../ids.ts';
import { addCorrespondence, noCorrespondence, type Thread } from './thread.ts';

/** A draft; its content and files are stored as those of an email. */
export interface Draft
  extends Pick<
    EmailHead,
    | 'id'
    | 'threadId'
    | 'spaceId'
    | 'from'
    | 'to'
    | 'subject'
    | 'snippet'
    | 'messageId'
    | 'inReplyTo'
    | 'idempotencyKey'
    | 'createdAt'
  > {
  /** The thread that a forward forwards. */
  readonly forwardOf: ThreadId | null;
  /** Of this message; null: as the domain's settings are when it is sent. */
  readonly trackOpens: boolean | null;
  readonly trackClicks: boolean | null;
  /** Scheme and host of the API, for the links in the message. */
  readonly baseUrl: string;
}

/** A thread that has only drafts, as version 1 shows it. @param drafts of one thread, oldest first */
export function threadOfDrafts(drafts: readonly [Draft, ...Draft[]]): DraftThread {
  const [first] = drafts;
  const last = drafts.at(-1) ?? first;
  return {
    id: first.threadId,
    subject: first.subject,
    snippet: last.snippet,
    participants: mergeParticipants(
      [],
      drafts.flatMap(({ from, to }) => [from, ...to]),
    ),
    createdAt: first.createdAt,
    lastMessageAt: last.createdAt,
    messageCount: drafts.length,
    correspondence: drafts.reduce(
      (before, { from, to }) => addCorrespondence(before, { direction: 'outbound', from, to }),
      noCorrespondence,
    ),
  };
}

/** The parts of a thread that version 1 shows and searches. */
export type DraftThread = Pick<
  Thread,
  | 'id'
  | 'subject'
  | 'snippet'
  | 'participants'
  | 'createdAt'
  | 'lastMessageAt'
  | 'messageCount'
  | 'correspondence'
>;

/** A draft as an email that waits, for what shows emails. */
export function emailOfDraft(draft: Draft, content: EmailContent): FullEmail {
  const { id, threadId, spaceId, from, to, subject, snippet, messageId, inReplyTo } = draft;
  return {
    head: {
      id,
      threadId,
      spaceId,
      status: 'scheduled',
      from,
      to,
      others: [],
      subject,
      snippet,
      category: null,
      suspicious: false,
      suppressionKey: null,
      messageId,
      inReplyTo,
      idempotencyKey: draft.idempotencyKey,
      domainId: null,
      mailboxId: null,
      createdAt: draft.createdAt,
      scheduledAt: null,
      sentAt: null,
      revision: 0,
    },
    content,
    history: [],
    chunks: [],
    extractions: new Map(),
    engagementCount: 0,
  };
}
