/** Content of a forward: the note, the conversation, its files (docs/concepts/threads.md#forward). */
import { directionOf, type EmailStatus, type FullEmail } from '../../core/emails/email.ts';
import type { WorkspaceId } from '../../core/ids.ts';
import { limits } from '../../core/limits.ts';
import type { Page } from '../../core/page.ts';
import { Problem } from '../../core/problems.ts';
import type { Thread } from '../../core/threads/thread.ts';
import { forwardSubject } from '../../mail/threading/subject.ts';
import { type TranscriptMessage, transcriptHtml, transcriptText } from '../../mail/writing/transcript.ts';
import { listThreadMessages } from '../../storage/emails/emails.ts';
import { withStrippedText } from '../reading/stripped-text.ts';
import type { CarriedAttachment } from '../sending/outgoing-files.ts';

export interface PreparedForward {
  readonly subject: string;
  readonly text: string;
  readonly html: string;
  readonly carried: readonly CarriedAttachment[];
}

/** Messages that nobody has seen are not part of the conversation. */
const unseen: ReadonlySet<EmailStatus> = new Set(['scheduled', 'canceled']);

/**
 * Reads the conversation. Above the size limit of a body, the oldest messages are left out.
 *
 * @throws Problem thread_empty
 */
export async function prepareForward(
  workspaceId: WorkspaceId,
  thread: Thread,
  options: { note: string | null; includeAttachments: boolean },
): Promise<PreparedForward> {
  const messages = (await readAll(workspaceId, thread)).filter(({ head }) => !unseen.has(head.status));
  if (messages.length === 0) {
    throw new Problem('thread_empty', 'The thread has no message that was sent or received.');
  }
  const kept = newestThatFit(await Promise.all(messages.map(transcriptMessage)), options.note);
  return {
    subject: forwardSubject(thread.subject),
    text: transcriptText(options.note, kept),
    html: transcriptHtml(options.note, kept),
    carried: options.includeAttachments ? carriedBy(messages) : [],
  };
}

async function readAll(workspaceId: WorkspaceId, thread: Thread): Promise<FullEmail[]> {
  const messages: FullEmail[] = [];
  let after: string | null = null;
  do {
    const paging = {
      limit: limits.pageSize,
      after,
      order: 'oldest first' as const,
      bytesMax: limits.pageBytes,
    };
    const page: Page<FullEmail> = await listThreadMessages(workspaceId, thread.id, paging);
    messages.push(...page.items);
    after = page.next;
  } while (after);
  return messages;
}

async function transcriptMessage(email: FullEmail): Promise<TranscriptMessage> {
  const { head, content } = await withStrippedText(email);
  return {
    from: head.from,
    to: head.to,
    subject: head.subject,
    at: head.sentAt ?? head.createdAt,
    text: content.strippedText ?? content.text,
    html: content.strippedHtml ?? content.html,
  };
}

function newestThatFit(messages: readonly TranscriptMessage[], note: string | null): TranscriptMessage[] {
  let kept = [...messages];
  const fits = () => Buffer.byteLength(transcriptHtml(note, kept)) <= limits.bodyBytes;
  while (kept.length > 1 && !fits()) kept = kept.slice(Math.ceil(kept.length / 4));
  return kept;
}

/** Every file of the conversation, without the inline images of sent mail: the transcript has no html bodies. */
function carriedBy(messages: readonly FullEmail[]): CarriedAttachment[] {
  return messages.flatMap(({ head, content }) =>
    content.attachments
      .filter(({ cid }) => cid === null || directionOf(head.status) === 'inbound')
      .map((file) => ({ emailId: head.id, file: { ...file, cid: null } })),
  );
}
