/** Drafts: emails that are stored and not sent before somebody approves them (docs/concepts/drafts.md). */

import type { ThreadId } from '../ids.ts';
import { limits } from '../limits.ts';
import type {
  Cancellation,
  DraftFacts,
  EmailContent,
  EmailHead,
  OriginalMessage,
  PacingOptions,
} from './email.ts';

/** Of one message; null: as the domain's settings are when it is accepted. */
export interface Tracking {
  readonly opens: boolean | null;
  readonly clicks: boolean | null;
}

/**
 * A draft: the head of the email that it becomes, with `revision` as its version, and what its approval asks for. Content and
 * files are stored as those of an email.
 */
export interface Draft extends EmailHead {
  /** The thread that a forward forwards. */
  readonly forwardOf: ThreadId | null;
  readonly trackOpens: boolean | null;
  readonly trackClicks: boolean | null;
  readonly unsubscribe: boolean;
  readonly pacing: PacingOptions;
  /** Scheme and host of the API, for the links in the message. */
  readonly baseUrl: string;
  readonly draft: DraftFacts;
}

/** When a draft that is made now expires. */
export const draftExpiry = (nowMs: number): number => nowMs + limits.draftDays * 86_400_000;

export const isExpired = ({ draft: { expiresAt } }: Pick<Draft, 'draft'>, nowMs: number): boolean =>
  expiresAt !== null && expiresAt <= nowMs;

/** The email that a draft becomes when it ends without approval. */
export function canceledDraft(draft: Draft, cancellation: Cancellation): EmailHead {
  return { ...draft, status: 'canceled', cancellation };
}

/** Why an expired draft is canceled. */
export function expiryOf({ draft: { expiresAt } }: Pick<Draft, 'draft'>): Cancellation {
  return { reason: 'expired', at: expiresAt ?? 0, by: null, byEmailId: null };
}

/** What is kept of a draft before its first edit. */
export function originalOf({ subject, to }: Draft, { cc, bcc, text, html }: EmailContent): OriginalMessage {
  const max = limits.originalTextCharacters;
  const cut = (body: string | null) => body?.slice(0, max).toWellFormed() ?? null;
  const isCut = (text?.length ?? 0) > max || (html?.length ?? 0) > max;
  return { subject, to, cc, bcc, text: cut(text), html: cut(html), isCut };
}
