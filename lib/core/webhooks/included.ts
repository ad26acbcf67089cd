/** What the webhooks of an endpoint carry beside the event (docs/concepts/webhooks.md#content-in-webhooks). */
import type { AttachmentId } from '../ids.ts';
import type { EventType } from './event-types.ts';

export const includedParts = ['text', 'stripped_text', 'attachment_text', 'headers'] as const;
export type IncludedPart = (typeof includedParts)[number];

/** Bytes of each part in UTF-8: a delivery keeps what was sent, in an item of 400 KB. */
export const includedBytesMax = 64 * 1024;

/** A part of an email, cut after `includedBytesMax`. */
export interface CutText {
  readonly text: string | null;
  readonly isCut: boolean;
}

/** What is read of an email for the parts that an endpoint includes. */
export interface IncludedContent {
  readonly text: CutText;
  readonly strippedText: CutText;
  readonly headers: { readonly list: readonly { name: string; value: string }[]; readonly isCut: boolean };
  /** The texts of its files, in their order; a file without text is not among them. */
  readonly attachmentTexts: {
    readonly byFile: ReadonlyMap<AttachmentId, string>;
    readonly isCut: boolean;
  };
}

/** Whether the body of an attempt is made of the event and the email. What a delivery has sent, it sends again. */
export function includesContent(
  { include }: { readonly include: readonly IncludedPart[] },
  { body, eventType }: { readonly body: string | null; readonly eventType: EventType },
): boolean {
  return include.length > 0 && eventType === 'email.received' && body === null;
}

/** The beginning of a text, whole code points that take at most `max` bytes in UTF-8. */
export function cutText(text: string | null, max: number = includedBytesMax): CutText {
  if (text === null) return { text, isCut: false };
  const bytes = new Uint8Array(max);
  const { read } = new TextEncoder().encodeInto(text, bytes);
  return { text: text.slice(0, read), isCut: read < text.length };
}

/** The first headers that take at most `includedBytesMax` bytes. */
export function cutHeaders(
  headers: readonly { readonly name: string; readonly value: string }[],
): IncludedContent['headers'] {
  let left = includedBytesMax;
  const end = headers.findIndex(({ name, value }) => {
    left -= Buffer.byteLength(name) + Buffer.byteLength(value);
    return left < 0;
  });
  const list = (end < 0 ? headers : headers.slice(0, end)).map(({ name, value }) => ({ name, value }));
  return { list, isCut: end >= 0 };
}
