/** Owns the division of a message into what its author wrote, quotes and signatures (docs/concepts/reading-mail.md). */
import type { Segment } from '../email.ts';
import { buildSegments, classifyLines, joinLines } from './classify-lines.ts';
import { cutHtml, hasWrittenImage } from './cut-html.ts';
import { parseHtml } from './parse-html.ts';
import { parseText } from './parse-text.ts';

export interface StrippedText {
  /** In the order of the message. Together they contain every line that is not blank. */
  readonly segments: Segment[];
  /** The `written` segments, separated by blank lines; the whole text if there are none. */
  readonly stripped: string;
}

export interface StrippedHtml {
  readonly segments: Segment[];
  /** The source without quotes and signature, byte for byte; all of it if nothing is `written`. */
  readonly strippedHtml: string;
  readonly strippedText: string;
}

/** Null for parts that the message does not have. */
export interface StrippedMessage {
  readonly segments: Segment[];
  readonly strippedText: string | null;
  readonly strippedHtml: string | null;
}

/** Divides a plain text. Never throws; linear in its length. */
export function stripText(text: string): StrippedText {
  const document = parseText(text);
  const segments = buildSegments(document, classifyLines(document));
  return {
    segments,
    stripped: joinWritten(segments) ?? joinLines(document, 0, document.lines.length),
  };
}

/**
 * Divides an html body. Never throws; linear in its length. Well-formed html stays well-formed. Html of more than
 * 200,000 tags or source ranges, or of a million texts, is returned whole, with the text of its beginning.
 */
export function stripHtml(html: string): StrippedHtml {
  const document = parseHtml(html);
  if (!document.isComplete) {
    const text = joinLines(document, 0, document.lines.length);
    return {
      segments: text === '' ? [] : [{ kind: 'written', text }],
      strippedHtml: html,
      strippedText: text,
    };
  }
  const kinds = classifyLines(document);
  const segments = buildSegments(document, kinds);
  const written = joinWritten(segments);
  return {
    segments,
    strippedHtml:
      written === null && !hasWrittenImage(document, kinds) ? html : cutHtml(html, document, kinds),
    strippedText: written ?? joinLines(document, 0, document.lines.length),
  };
}

/** Divides a message by its plain text if that has any words, else by its html. */
export function strip(message: {
  readonly text: string | null;
  readonly html: string | null;
}): StrippedMessage {
  const fromHtml = message.html === null ? null : stripHtml(message.html);
  const fromText = message.text === null ? null : stripText(message.text);
  if (fromText !== null && (fromText.segments.length > 0 || fromHtml === null)) {
    return {
      segments: fromText.segments,
      strippedText: fromText.stripped,
      strippedHtml: fromHtml?.strippedHtml ?? null,
    };
  }
  return {
    segments: fromHtml?.segments ?? [],
    strippedText: fromHtml?.strippedText ?? null,
    strippedHtml: fromHtml?.strippedHtml ?? null,
  };
}

function joinWritten(segments: readonly Segment[]): string | null {
  const written = segments.filter(({ kind }) => kind === 'written').map(({ text }) => text);
  return written.length === 0 ? null : written.join('\n\n');
}
