/** Parses and rewrites the header section of a message (RFC 5322 section 2.2). Skips invalid lines, never throws. */

export interface HeaderField {
  readonly name: string;
  /** Unfolded; encoded words stay encoded. */
  readonly value: string;
  /** Octets of the field with folded lines and line ends: [start, end). */
  readonly at: readonly [start: number, end: number];
}

export interface HeaderBlock {
  readonly fields: readonly HeaderField[];
  /** Offset of the blank line. */
  readonly endsAt: number;
}

const lineFeed = 0x0a;
const carriageReturn = 0x0d;
const space = 0x20;
const tab = 0x09;
const fieldForm = /^([\x21-\x39\x3b-\x7e]+)[ \t]*:(.*)$/s;

/** Parses up to the first blank line or the end. Linear time. */
export function readHeaders(raw: Buffer): HeaderBlock {
  const fields: HeaderField[] = [];
  let fieldAt = 0;
  let at = 0;
  const close = (end: number) => {
    const match = fieldForm.exec(raw.toString('utf8', fieldAt, end));
    if (match === null) return;
    const [, name = '', value = ''] = match;
    fields.push({ name, value: unfold(value), at: [fieldAt, end] });
  };
  while (at < raw.length) {
    const isContinuation = raw[at] === space || raw[at] === tab;
    if (isBlankLine(raw, at)) break;
    if (!isContinuation && at > fieldAt) {
      close(at);
      fieldAt = at;
    }
    const feed = raw.indexOf(lineFeed, at);
    at = feed < 0 ? raw.length : feed + 1;
  }
  if (at > fieldAt) close(at);
  return { fields, endsAt: at };
}

/** Values of the fields with a name (lower case), in order. */
export function valuesOf(fields: readonly HeaderField[], name: string): string[] {
  return fields.filter((field) => field.name.toLowerCase() === name).map((field) => field.value);
}

/** The message without the `dropped` fields (lower case) and with `added` at the end of its header section. */
export function rewriteHeaders(
  raw: Buffer,
  dropped: readonly string[],
  added: readonly (readonly [name: string, value: string])[],
): Buffer {
  const { fields, endsAt } = readHeaders(raw);
  const parts: Buffer[] = [];
  let from = 0;
  for (const { name, at } of fields) {
    if (!dropped.includes(name.toLowerCase())) continue;
    parts.push(raw.subarray(from, at[0]));
    from = at[1];
  }
  parts.push(raw.subarray(from, endsAt));
  const isOpen = endsAt > 0 && raw[endsAt - 1] !== lineFeed;
  parts.push(Buffer.from(`${isOpen ? '\r\n' : ''}${headerLines(added)}`));
  parts.push(raw.subarray(endsAt));
  return Buffer.concat(parts);
}

/** `Name: value` lines, each with its line end. */
export function headerLines(fields: readonly (readonly [name: string, value: string])[]): string {
  return fields.map(([name, value]) => `${name}: ${value}\r\n`).join('');
}

/** RFC 5322 form of a time in UTC, e.g. `Sat, 21 Nov 2026 08:30:00 +0000`. */
export function mailDate(atMs: number): string {
  return new Date(atMs).toUTCString().replace('GMT', '+0000');
}

function isBlankLine(raw: Buffer, at: number): boolean {
  return raw[at] === lineFeed || (raw[at] === carriageReturn && raw[at + 1] === lineFeed);
}

function unfold(value: string): string {
  return value.replace(/\r?\n/g, '').trim();
}
