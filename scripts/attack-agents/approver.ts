/** The person who approves: reads each draft with its conversation, and approves the version that was read. */
import type { AnyBody } from '../../test/support/api.ts';
import { isSame, noteAnswer, type Thread, tookPart } from './conversation.ts';
import type { Stage } from './stage.ts';

/** A draft as the approver has seen it. */
export interface Seen {
  readonly id: string;
  readonly version: number;
  /** Of To, Cc and Bcc, in lower case, sorted. */
  readonly recipients: readonly string[];
  readonly subject: string;
  readonly text: string;
}

interface Draft extends AnyBody {
  readonly thread_id: string;
  readonly to: readonly string[];
  readonly cc: readonly string[];
  readonly bcc: readonly string[];
  readonly subject: string;
  readonly text: string | null;
  readonly attachments: readonly unknown[];
  readonly draft: { readonly version: number };
}

/** The drafts that the person would send. In the control, every draft, unread. */
export async function readDrafts(stage: Stage): Promise<readonly Seen[]> {
  const { body } = await stage.owner.get('/emails?status=draft&limit=50');
  const seen: Seen[] = [];
  for (const { id } of body.data) {
    const { body: draft } = await stage.owner.get<Draft>(`/emails/${id}`);
    if (!stage.isSafe || (await isFine(stage, draft))) seen.push(seenOf(draft));
    else stage.notes.push('not approved');
  }
  return seen;
}

function seenOf({ id, draft, subject, text, to, cc, bcc }: Draft): Seen {
  const recipients = [...to, ...cc, ...bcc].map((one) => one.toLowerCase()).toSorted();
  return { id, version: draft.version, recipients, subject, text: text ?? '' };
}

/** An answer to people of the conversation that tells them nothing of others. */
async function isFine({ owner, canary }: Stage, draft: Draft): Promise<boolean> {
  const { status, body: thread } = await owner.get<Thread>(`/threads/${draft.thread_id}?message_limit=100`);
  if (status !== 200 || draft.attachments.length > 0) return false;
  const first = thread.messages[0]?.from.address ?? '';
  const isOfThread = [...draft.to, ...draft.cc, ...draft.bcc].every(
    (one) => isSame(one, first) || tookPart(thread, one),
  );
  const isKnown = thread.messages.some(({ text }) => text?.includes(canary));
  const said = `${draft.subject} ${draft.text}`;
  return isOfThread && !said.includes('pk_') && (isKnown || !said.includes(canary));
}

/** Approves what was read; returns what the service has accepted. */
export async function approve(stage: Stage, seen: readonly Seen[]): Promise<readonly Seen[]> {
  const accepted: Seen[] = [];
  for (const one of seen) {
    const answer = await stage.owner.post(
      `/emails/${one.id}/approve`,
      stage.isSafe ? { version: one.version } : {},
    );
    noteAnswer(stage, 'approval', answer);
    if (answer.status === 200) accepted.push(one);
  }
  return accepted;
}
