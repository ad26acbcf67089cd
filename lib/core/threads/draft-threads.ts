/** Threads that have only drafts, as version 1 shows and searches them (docs/concepts/v1.md#drafts). */

import { mergeParticipants } from '../../mail/threading/participants.ts';
import type { Draft } from '../emails/draft.ts';
import { addCorrespondence, noCorrespondence, type Thread } from './thread.ts';

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
