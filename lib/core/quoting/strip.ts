/** What the author of a message wrote, without quotes and signature (contract, section 4, stripping). */
import type { Segment } from '../email.ts';
import { cutHtml, hasWrittenPicture } from './html-cut.ts';
import { readHtml } from './read-html.ts';
import { readText } from './read-text.ts';
import { kindsOf, segmentsOf, textBetween } from './segments.ts';

/** A text taken apart. */
export interface StrippedText {
  /** In the order of the message; together they hold every line of it that is not blank. */
  readonly segments: Segment[];
  /** What is `written`, a blank line between the pieces; the whole text where nothing is. */
  readonly stripped: string;
}

/** An html body taken apart. */
export interface StrippedHtml {
  readonly segments: Segment[];
  /** The html without quotes and signature, otherwise as it was, byte for byte; all of it where nothing is `written`. */
  readonly strippedHtml: string;
  readonly strippedText: string;
}

/** A message taken apart: null where the message has no such part. */
export interface Stripped {
  readonly segments: Segment[];
  readonly strippedText: string | null;
  readonly strippedHtml: string | null;
}

/** Takes a plain text apart. Never throws; linear in its length. */
export function stripText(text: string): StrippedText {
  const page = readText(text);
  const segments = segmentsOf(page, kindsOf(page));
  return { segments, stripped: writtenText(segments) ?? textBetween(page, 0, page.lines.length) };
}

/**
 * Takes an html body apart. Never throws; linear in its length. No tag loses its partner. Html of more than 200,000 tags
 * or pieces, or of a million texts, is left whole, and its text is that of its beginning.
 */
export function stripHtml(html: string): StrippedHtml {
  const page = readHtml(html);
  if (!page.isWhole) {
    const text = textBetween(page, 0, page.lines.length);
    return {
      segments: text === '' ? [] : [{ kind: 'written', text }],
      strippedHtml: html,
      strippedText: text,
    };
  }
  const kinds = kindsOf(page);
  const segments = segmentsOf(page, kinds);
  const written = writtenText(segments);
  return {
    segments,
    strippedHtml: written === null && !hasWrittenPicture(page, kinds) ? html : cutHtml(html, page, kinds),
    strippedText: written ?? textBetween(page, 0, page.lines.length),
  };
}

/** Takes a message apart by its plain text where it has any, else by its html. */
export function strip(message: { readonly text: string | null; readonly html: string | null }): Stripped {
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

function writtenText(segments: readonly Segment[]): string | null {
  const written = segments.filter(({ kind }) => kind === 'written').map(({ text }) => text);
  return written.length === 0 ? null : written.join('\n\n');
}
