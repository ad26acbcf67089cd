/** What a forward holds (contract, section 4, "Forward"): the note, the whole conversation, its files. */
import { directionOf, type EmailStatus } from '../../core/email.ts';
import type { EmailId, WorkspaceId } from '../../core/ids.ts';
import { limits } from '../../core/limits.ts';
import { type TranscriptMessage, transcriptHtml, transcriptText } from '../../core/mail/transcript.ts';
import { Problem } from '../../core/problems.ts';
import type { Thread } from '../../core/thread.ts';
import { forwardSubject } from '../../core/threading/subject.ts';
import { type FullEmail, listThreadMessages } from '../../storage/emails.ts';
import type { CarriedAttachment } from '../sending/outgoing-files.ts';

export interface PreparedForward {
  readonly subject: string;
  readonly text: string;
  readonly html: string;
  readonly carried: readonly CarriedAttachment[];
}

/** Messages that nobody has seen are not part of a conversation. */
const unseen: ReadonlySet<EmailStatus> = new Set(['scheduled', 'canceled']);

/**
 * Reads the conversation. Content beyond a message's own limits is cut: the newest messages are kept.
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
  const kept = newestThatFit(messages.map(transcriptMessage), options.note);
  return {
    subject: forwardSubject(thread.subject),
    text: transcriptText(options.note, kept),
    html: transcriptHtml(options.note, kept),
    carried: options.includeAttachments ? carriedBy(messages) : [],
  };
}

async function readAll(workspaceId: WorkspaceId, thread: Thread): Promise<FullEmail[]> {
  const messages: FullEmail[] = [];
  let after: EmailId | null = null;
  do {
    const paging = { limit: limits.pageSize, after, bytesMax: limits.pageBytes };
    const page: Awaited<ReturnType<typeof listThreadMessages>> = await listThreadMessages(
      workspaceId,
      thread.id,
      paging,
    );
    messages.push(...page.items);
    after = page.next as EmailId | null;
  } while (after);
  return messages;
}

function transcriptMessage({ head, content }: FullEmail): TranscriptMessage {
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

/** Every file of the conversation, the pictures of html bodies left out: the transcript shows no html. */
function carriedBy(messages: readonly FullEmail[]): CarriedAttachment[] {
  return messages.flatMap(({ head, content }) =>
    content.attachments
      .filter(({ cid }) => cid === null || directionOf(head.status) === 'inbound')
      .map((file) => ({ emailId: head.id, file: { ...file, cid: null } })),
  );
}
