/**
 * Where a header ends (RFC 5322 2.1), also where the blank line is missing, holds white space, or comes too early: words of
 * the body must not be taken for the header.
 */
import { carriageReturn, dash, isSpace, lineFeed, space, tab } from '../text/octets.ts';

/** Byte offsets. */
export interface HeaderEnd {
  /** End of the last field. */
  readonly end: number;
  readonly bodyAt: number;
}

/** What the place of a header allows. */
export interface HeaderPlace {
  /** Whether a line that begins with two dashes ends the part. */
  readonly isDelimiter: (lineAt: number) => boolean;
  /** Whether a MIME field below the blank line can be a field of this header. */
  readonly hasMisplacedFields: boolean;
}

const colon = 0x3a;
const semicolon = 0x3b;
const comma = 0x2c;
const fieldNameMax = 1000;
const trailingSpaceMax = 100;

/** Names that continue a header after a line that is no field: `Note:` begins a sentence. */
const usualName =
  /^(?:[\w]+-[\w-]+|received|from|to|cc|bcc|subject|date|sender|references|organization|importance|priority|precedence|comments|keywords|lines|status|newsgroups|path|xref|autocrypt|sensitivity)$/;
/** Names of fields that occur once (RFC 5322 3.6): another one is of a quoted message. */
const singleName =
  /^(?:from|to|cc|subject|date|sender|message-id|reply-to|references|in-reply-to|mime-version|content-(?:type|transfer-encoding|disposition))$/;
/** A MIME field with a value of MIME: a sentence about it begins otherwise. */
const mimeField =
  /^(?:content-type[ \t]{0,9}:[ \t]{0,9}[\w.+-]{1,100}\/[\w.+-]{1,100}|content-transfer-encoding[ \t]{0,9}:[ \t]{0,9}(?:7bit|8bit|binary|base64|quoted-printable)|content-disposition[ \t]{0,9}:[ \t]{0,9}(?:inline|attachment)|mime-version[ \t]{0,9}:[ \t]{0,9}1\.0)(?=[\s;]|$)/i;
const mimeFieldMax = 250;
const separatorLine = /^>?From /;
/** A parameter that is not indented, as some programs fold them. */
const parameter = /^[\w*-]{1,40}[ \t]{0,9}=/;

/** A token longer than words, without the space that a folded line begins with. */
const foldedToken = /^[\x21-\x7e]{60}/;

const anywhere: HeaderPlace = { isDelimiter: () => false, hasMisplacedFields: true };

/**
 * Finds the end of the header that begins at `start`. Linear.
 *
 * - A line of white space ends it, unless the line below continues a list or is a field that the header lacks.
 * - Lines that are no fields are skipped if a field follows (the `From ` of an mbox, stray text), else they are the body.
 * - MIME fields below the blank line belong to the header if it lacks them: faulty programs write two line ends.
 */
export function headerEnd(bytes: Buffer, start: number, place: HeaderPlace = anywhere): HeaderEnd {
  const reading: Reading = { bytes, start, place, names: namesOf(bytes, start) };
  /** The first line that may be of the body. */
  let gapAt: number | null = null;
  for (let at = start; at < bytes.length; ) {
    const next = lineAfter(bytes, at);
    if (isEmptyLine(bytes, at)) {
      if (gapAt !== null || !hasFieldsBelow(reading, at, next)) return endAt(bytes, gapAt ?? at, next);
    } else if (isEnd(reading, gapAt, at)) {
      return endAt(bytes, gapAt ?? at, at);
    } else if (gapAt === null) {
      gapAt = isGap(reading, at, next) ? at : null;
    } else if (resumes(reading, gapAt, at)) {
      gapAt = null;
    }
    at = next;
  }
  return endAt(bytes, gapAt ?? bytes.length, bytes.length);
}

/** Blank lines before the body, up to `limit`, separate it from the header. */
function endAt(bytes: Buffer, end: number, limit: number): HeaderEnd {
  let bodyAt = end;
  while (bodyAt < limit && isBlank(bytes, bodyAt, lineAfter(bytes, bodyAt)))
    bodyAt = lineAfter(bytes, bodyAt);
  return { end, bodyAt };
}

interface Reading {
  readonly bytes: Buffer;
  readonly start: number;
  readonly place: HeaderPlace;
  readonly names: ReturnType<typeof namesOf>;
}

/** Whether the header ends before a line: at a delimiter, and at a line below a blank one that is no field which it lacks. */
function isEnd({ bytes, place, names }: Reading, gapAt: number | null, at: number): boolean {
  if (bytes[at] === dash && bytes[at + 1] === dash && place.isDelimiter(at)) return true;
  if (gapAt === null || isIndented(bytes, at) || !isBlankAt(bytes, gapAt)) return false;
  return nameLength(bytes, at) === 0 || !names.lacks(at, gapAt);
}

/** Whether a line may be the first of the body. */
function isGap({ bytes, start }: Reading, at: number, next: number): boolean {
  if (isIndented(bytes, at)) return isBlank(bytes, at, next);
  return nameLength(bytes, at) === 0 && !isStrayField(bytes, start, at, next);
}

/** Whether a line below a gap shows that the header goes on. */
function resumes({ bytes, start, names }: Reading, gapAt: number, at: number): boolean {
  if (isIndented(bytes, at)) return isListOpen(bytes, start, gapAt) && isBlankAt(bytes, gapAt);
  return nameLength(bytes, at) > 0 && (isBlankAt(bytes, gapAt) || names.lacks(at, gapAt));
}

/** Whether fields of the header stand below a blank line. */
function hasFieldsBelow({ bytes, start, place, names }: Reading, at: number, next: number): boolean {
  if (!place.hasMisplacedFields) return false;
  if (isMimeFieldAt(bytes, next) && names.lacks(next, at)) return !isMultipart(bytes, start, at);
  // Blank lines between a delimiter and the fields of its part.
  return at === start && isEmptyLine(bytes, next) && isMimeFieldAt(bytes, lineAfter(bytes, next));
}

/** Whether a MIME field begins at a position, so that what follows is a part. */
export function isMimeFieldAt(bytes: Buffer, at: number): boolean {
  const letter = (bytes[at] ?? 0) | 0x20;
  if (letter !== 0x63 && letter !== 0x6d) return false;
  return mimeField.test(bytes.toString('latin1', at, Math.min(at + mimeFieldMax, bytes.length)));
}

/** Whether a field of a part begins at a position, whatever its value. */
export function isContentFieldAt(bytes: Buffer, at: number): boolean {
  return /^content-[a-z-]{1,30}[ \t]{0,9}:/i.test(
    bytes.toString('latin1', at, Math.min(at + 60, bytes.length)),
  );
}

/** The position after the line feed. */
export function lineAfter(bytes: Buffer, at: number): number {
  const feed = bytes.indexOf(lineFeed, at);
  return feed < 0 ? bytes.length : feed + 1;
}

/** Names of the fields of a header, read when they are first asked for. */
function namesOf(bytes: Buffer, start: number) {
  const seen = new Set<string>();
  let readTo = start;
  return {
    /** Whether the field at `at` is usual and can be added to those before `end`; then they are taken for read up to it. */
    lacks(at: number, end: number): boolean {
      for (; readTo < end; readTo = lineAfter(bytes, readTo)) seen.add(nameAt(bytes, readTo));
      const name = nameAt(bytes, at);
      if (!usualName.test(name) || (singleName.test(name) && seen.has(name))) return false;
      seen.add(name);
      readTo = Math.max(readTo, lineAfter(bytes, at));
      return true;
    },
  };
}

/** The body of a multipart may begin with the header of a part. */
function isMultipart(bytes: Buffer, start: number, end: number): boolean {
  return /^content-type[ \t]*:[ \t]*multipart/im.test(bytes.toString('latin1', start, end));
}

function nameAt(bytes: Buffer, at: number): string {
  return bytes.toString('latin1', at, at + nameLength(bytes, at)).toLowerCase();
}

/** Length of the field name at the beginning of a line; 0 for a line that is no field. */
function nameLength(bytes: Buffer, start: number): number {
  let at = start;
  const limit = Math.min(bytes.length, start + fieldNameMax);
  while (at < limit && isNameByte(bytes[at] ?? 0)) at++;
  const length = at - start;
  while (bytes[at] === space || bytes[at] === tab) at++;
  return bytes[at] === colon ? length : 0;
}

function isNameByte(byte: number): boolean {
  return byte > space && byte < 0x7f && byte !== colon;
}

/** A line that is no field and no body either: of an mbox, or a parameter of the field above. */
function isStrayField(bytes: Buffer, start: number, at: number, next: number): boolean {
  const line = bytes.toString('latin1', at, Math.min(next, at + 100));
  if (at === start && separatorLine.test(line)) return true;
  if (next === bytes.length && at > start && /^content(?:-[\w-]*)?$/i.test(line)) return true;
  return foldedToken.test(line) || (parameter.test(line) && isListOpen(bytes, start, at));
}

/** Whether the line before a position ends within a list of parameters or addresses. */
function isListOpen(bytes: Buffer, start: number, lineAt: number): boolean {
  let at = lineAt - 1;
  const from = Math.max(start, lineAt - trailingSpaceMax);
  while (at > from && isSpace(bytes[at] ?? 0)) at--;
  return bytes[at] === semicolon || bytes[at] === comma;
}

function isEmptyLine(bytes: Buffer, start: number): boolean {
  let at = start;
  while (bytes[at] === carriageReturn) at++;
  return bytes[at] === lineFeed || at >= bytes.length;
}

function isIndented(bytes: Buffer, at: number): boolean {
  return bytes[at] === space || bytes[at] === tab;
}

function isBlankAt(bytes: Buffer, lineAt: number): boolean {
  return isIndented(bytes, lineAt) && isBlank(bytes, lineAt, lineAfter(bytes, lineAt));
}

/** Whether there is only white space between two positions. */
export function isBlank(bytes: Buffer, start: number, end: number): boolean {
  for (let at = start; at < end; at++) if (!isSpace(bytes[at] ?? 0)) return false;
  return true;
}
