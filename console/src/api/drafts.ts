/** Drafts as the API shows them, and what is done with them. */
import type { Email, FullEmail } from 'parley-client';
import { parley } from './parley.ts';

/** A draft before its first edit. */
export interface OriginalDraft {
  readonly subject: string;
  readonly to: readonly string[];
  readonly cc: readonly string[];
  readonly bcc: readonly string[];
  readonly text: string | null;
  readonly html: string | null;
  readonly truncated: boolean;
}

export interface DraftFacts {
  readonly version: number;
  readonly drafted_by: string | null;
  readonly edited_by: string | null;
  readonly approved_by: string | null;
  readonly expires_at: string | null;
  readonly original: OriginalDraft | null;
}

export interface DraftEdit {
  readonly version?: number;
  readonly to?: readonly string[];
  readonly cc?: readonly string[];
  readonly subject?: string;
  readonly text?: string;
  readonly html?: string;
  readonly scheduled_at?: string | null;
}

/** null: the email was never a draft. */
export function draftOf(email: Email | FullEmail): DraftFacts | null {
  return ('draft' in email ? (email.draft as DraftFacts | null) : null) ?? null;
}

export async function listDrafts(cursor: string | undefined) {
  const query = { status: 'draft', cursor };
  const page = await parley.request<{ data: Email[]; next_cursor: string | null }>('GET', '/emails', {
    query,
  });
  return { items: page.data, next_cursor: page.next_cursor };
}

/** @throws ParleyError draft_changed where the draft has another version by now */
export const editDraft = (id: string, body: DraftEdit) =>
  parley.request<Email>('PATCH', `/emails/${id}`, { body });

/** Sends exactly the version that was seen. @throws ParleyError draft_changed */
export const approveDraft = (id: string, version: number) =>
  parley.request<Email>('POST', `/emails/${id}/approve`, { body: { version } });

/** Cancels a scheduled email, or discards a draft. */
export const cancelEmail = (id: string) => parley.emails.cancel(id);

export const rescheduleEmail = (id: string, at: string) =>
  parley.request<Email>('PATCH', `/emails/${id}`, { body: { scheduled_at: at } });

/** An actor of the API, `member:anna@acme.dev` or the id of a key, as words. */
export function actorText(actor: string | null): string {
  if (actor === null) return 'nobody';
  return actor.replace(/^member:/, '').replace(/^key_[0-9a-f]+([0-9a-f]{6})$/, 'the API key …$1');
}
