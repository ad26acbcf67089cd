/** Owns the division of a message into what its author wrote, quotes and signatures (docs/concepts/reading-mail.md). */

import { buildSegments, classifyLines, classifyWithAnswers, joinLines } from './classify-lines.ts';
import { cutHtml, hasWrittenImage } from './cut-html.ts';
import { parseHtml } from './parse-html.ts';
import { parseText } from './parse-text.ts';
import type { Segment } from './text-document.ts';

/** Letters and digits that identify a quoted line. */
const comparedCharactersMin = 12;
const comparedCharactersMax = 120;
/** Of each quote, so much is searched for the line to compare. */
const quotedCharactersMax = 4000;

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
  return stripHtmlWithAnswers(html).stripped;
}

/** `hasAnswers`: the author answers inside the quote, in another color. */
function stripHtmlWithAnswers(html: string): { stripped: StrippedHtml; hasAnswers: boolean } {
  const document = parseHtml(html);
  if (!document.isComplete) {
    const text = joinLines(document, 0, document.lines.length);
    const segments: Segment[] = text === '' ? [] : [{ kind: 'written', text }];
    return { stripped: { segments, strippedHtml: html, strippedText: text }, hasAnswers: false };
  }
  const { kinds, hasAnswers } = classifyWithAnswers(document);
  const segments = buildSegments(document, kinds);
  const written = joinWritten(segments);
  const isWhole = written === null && !hasWrittenImage(document, kinds);
  const stripped = {
    segments,
    strippedHtml: isWhole ? html : cutHtml(html, document, kinds),
    strippedText: written ?? joinLines(document, 0, document.lines.length),
  };
  return { stripped, hasAnswers };
}

/**
 * Divides a message by its plain text if that has any words, else by its html. The html also decides if it shows a quote
 * that the text has without a sign of one, or answers in another color inside the quote. Never throws; linear in its length.
 */
export function strip(message: {
  readonly text: string | null;
  readonly html: string | null;
}): StrippedMessage {
  const html = message.html === null ? null : stripHtmlWithAnswers(message.html);
  const fromHtml = html?.stripped ?? null;
  const fromText = message.text === null ? null : stripText(message.text);
  const strippedHtml = fromHtml?.strippedHtml ?? null;
  if (fromText === null || (fromText.segments.length === 0 && fromHtml !== null)) {
    return { segments: fromHtml?.segments ?? [], strippedText: fromHtml?.strippedText ?? null, strippedHtml };
  }
  if (fromHtml !== null && (html?.hasAnswers === true || showsMoreQuotes(fromHtml, fromText))) {
    return { segments: fromHtml.segments, strippedText: fromHtml.strippedText, strippedHtml };
  }
  return { segments: fromText.segments, strippedText: fromText.stripped, strippedHtml };
}

/** True if what is written by the text contains what is written by the html, and what the html quotes. */
function showsMoreQuotes(html: StrippedHtml, text: StrippedText): boolean {
  const written = joinWritten(html.segments);
  if (written === null) return false;
  const quoted = longestQuotedLine(html.segments);
  if (quoted.length < comparedCharactersMin) return false;
  const compared = lettersOf(text.stripped);
  return compared.includes(quoted) && compared.includes(lettersOf(written.slice(0, comparedCharactersMax)));
}

/** The longest line that html quotes, which another line hardly equals by chance. */
function longestQuotedLine(segments: readonly Segment[]): string {
  let longest = '';
  for (const { kind, text } of segments) {
    if (kind !== 'quoted') continue;
    for (const line of text.slice(0, quotedCharactersMax).split('\n')) {
      const letters = lettersOf(line.replace(/<[^<>]*>/g, '').slice(0, comparedCharactersMax));
      if (letters.length > longest.length) longest = letters;
    }
  }
  return longest;
}

/** Letters and digits only: text and html of a message differ in white space and punctuation. */
function lettersOf(text: string): string {
  return text.replace(/[^\p{L}\p{N}]+/gu, '');
}

function joinWritten(segments: readonly Segment[]): string | null {
  const written = segments.filter(({ kind }) => kind === 'written').map(({ text }) => text);
  return written.length === 0 ? null : written.join('\n\n');
}
