/** Compares the octets of attachments with those of the files that were attached, and with what mailparser decodes. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { simpleParser } from 'mailparser';
import { parseMime } from '../../lib/mail/message/parse-mime.ts';
import { tnef } from '../../test/mail/message/tnef-builder.ts';
import { corpus, isDamaged, messagesUnder } from './files.ts';

export interface AttachmentCase {
  readonly encoding: string;
  /** Line ends of the message. */
  readonly lineEnds: keyof typeof lineEnds;
  readonly what: string;
  readonly isIdentical: boolean;
}

/** Why a difference remains, by the description of the case. */
const knownDifferences: readonly (readonly [pattern: RegExp, reason: string])[] = [
  [
    /^lines that end in CR,/,
    'the CR at the end of the file and the LF before the delimiter are the same octets as a line end in CRLF',
  ],
  [/legacy\/0(?:26|48)\.eml/, 'mailparser does not decode uuencode'],
  [/application\/ms-tnef$/, 'winmail.dat is opened, its files are the attachments'],
  [/lhost-x1-02/, 'a media type without a semicolon is a text for us'],
  [/lhost-domino-03/, 'mailparser reads past the delimiter of the outer part'],
  [/lhost-googleworkspace-01/, 'an empty part; its line end belongs to the delimiter (RFC 2046 5.1.1)'],
];

export function differenceReason(what: string): string {
  return knownDifferences.find(([pattern]) => pattern.test(what))?.[1] ?? 'not explained yet';
}

const lineEnds = { CRLF: '\r\n', LF: '\n', CR: '\r' } as const;

// Files that are attached here

interface Encoding {
  /** Null if the encoding cannot carry the file, or not with these line ends. */
  readonly encode: (file: Buffer, lineEnd: string) => Buffer | null;
  /** The value of Content-Transfer-Encoding. */
  readonly label: string;
}

const octets = Buffer.from(Array.from({ length: 256 }, (_, octet) => octet));
const files: Readonly<Record<string, Buffer>> = {
  'lines that end in CRLF': Buffer.from('one\r\ntwo\r\nthree\r\n'),
  'lines that end in LF': Buffer.from('one\ntwo\nthree\n'),
  'lines that end in CR': Buffer.from('one\rtwo\rthree\r'),
  'no line end at the end': Buffer.from('one\r\ntwo'),
  'blank lines at the end': Buffer.from('one\r\n\r\n\r\n'),
  'blank lines at the beginning': Buffer.from('\r\n\r\none\r\n'),
  'spaces at line ends': Buffer.from('one \r\ntwo\t\r\n \r\n'),
  'dots, hyphens and From': Buffer.from('.\r\n..\r\n--\r\n-- x\r\nFrom here\r\n>From\r\n'),
  'equals signs': Buffer.from('a=b\r\n=3D=\r\n==\r\n'),
  'words like uuencode': Buffer.from('begin 644 x\r\n#86)C\r\n`\r\nend\r\n'),
  'UTF-8': Buffer.from('größer – 日本語\r\n'),
  'UTF-8 with a byte order mark': Buffer.from('\ufeffgrößer\r\n'),
  'ISO-8859-1': Buffer.from('gr\xf6\xdfer\r\n', 'latin1'),
  'UTF-16': Buffer.from('größer\r\n', 'utf16le'),
  calendar: Buffer.from('BEGIN:VCALENDAR\r\nMETHOD:REQUEST\r\nEND:VCALENDAR\r\n'),
  html: Buffer.from('<html>\r\n<body>ö</body>\r\n</html>'),
  'one octet': Buffer.from('x'),
  nothing: Buffer.alloc(0),
  'null characters': Buffer.alloc(1000),
  'every octet': octets,
  'every octet beside line ends, spaces, hyphens, dots and equals signs': Buffer.concat(
    [...octets].flatMap((octet) =>
      [...'\0\r\n -.='].map((other) => Buffer.from([octet, other.charCodeAt(0)])),
    ),
  ),
  'PDF with mixed line ends': Buffer.from(
    '%PDF-1.7\n%\xe2\xe3\r\nstream\r\x00\x0d\x0a\x0d\nendstream\n',
    'latin1',
  ),
  'long lines': Buffer.from(`${'word '.repeat(150)}\r\n${'ä'.repeat(400)}\r\n`),
};

const bareLineEnd = /\r(?!\n)|(?<!\r)\n/;
/** Whether a file survives as lines: without null characters, and with the line ends of the message only. */
function asLines(file: Buffer, lineEnd: string): Buffer | null {
  const text = file.toString('latin1');
  if (text.includes('\0')) return null;
  const hasOtherLineEnds =
    lineEnd === '\r\n' ? bareLineEnd.test(text) : text.includes(lineEnd === '\n' ? '\r' : '\n');
  return hasOtherLineEnds ? null : file;
}

const inLines = (text: string, width: number, lineEnd: string): Buffer =>
  Buffer.from((text.match(new RegExp(`.{1,${width}}`, 'gs')) ?? []).join(lineEnd), 'latin1');

function quotedPrintable(file: Buffer, lineEnd: string): Buffer {
  const escaped = [...file].map((octet) =>
    octet > 32 && octet < 127 && octet !== 61
      ? String.fromCharCode(octet)
      : `=${octet.toString(16).toUpperCase().padStart(2, '0')}`,
  );
  const lines: string[] = [''];
  for (const unit of escaped) {
    if ((lines.at(-1) ?? '').length + unit.length > 75) lines.push('');
    lines[lines.length - 1] += unit;
  }
  return Buffer.from(lines.join(`=${lineEnd}`), 'latin1');
}

function quotedPrintableLines(file: Buffer, lineEnd: string): Buffer | null {
  const text = file.toString('latin1');
  // Lines as they are, in a message whose lines end in CRLF: elsewhere the original is not known.
  if (lineEnd !== '\r\n' || bareLineEnd.test(text)) return null;
  return Buffer.from(
    text
      .split('\r\n')
      .map((line) => quotedPrintable(Buffer.from(line, 'latin1'), lineEnd).toString('latin1'))
      .join(lineEnd),
    'latin1',
  );
}

function uuencode(file: Buffer, lineEnd: string): Buffer {
  const character = (value: number) => String.fromCharCode(value === 0 ? 96 : value + 32);
  const lines: string[] = [];
  for (let at = 0; at < file.length; at += 45) {
    const piece = file.subarray(at, at + 45);
    let line = character(piece.length);
    for (let unit = 0; unit < piece.length; unit += 3) {
      const bits = ((piece[unit] ?? 0) << 16) | ((piece[unit + 1] ?? 0) << 8) | (piece[unit + 2] ?? 0);
      line += [18, 12, 6, 0].map((shift) => character((bits >> shift) & 63)).join('');
    }
    lines.push(line);
  }
  return Buffer.from(['begin 644 file.bin', ...lines, '`', 'end', ''].join(lineEnd), 'latin1');
}

const encodings: Readonly<Record<string, Encoding>> = {
  base64: { label: 'base64', encode: (file, lineEnd) => inLines(file.toString('base64'), 76, lineEnd) },
  'base64, one line': { label: 'BASE64', encode: (file) => Buffer.from(file.toString('base64')) },
  'base64, lines padded': {
    label: 'base64',
    encode: (file, lineEnd) =>
      Buffer.from(
        (file.toString('latin1').match(/.{1,50}/gs) ?? [])
          .map((piece) => Buffer.from(piece, 'latin1').toString('base64'))
          .join(lineEnd),
      ),
  },
  'quoted-printable': { label: 'quoted-printable', encode: quotedPrintable },
  'quoted-printable, lines as they are': { label: 'Quoted-Printable', encode: quotedPrintableLines },
  '7bit': {
    label: '7bit',
    encode: (file, lineEnd) => (file.some((octet) => octet > 126) ? null : asLines(file, lineEnd)),
  },
  '8bit': { label: '8bit', encode: asLines },
  'no encoding': { label: '', encode: asLines },
  // Lines that end in CR alone are no lines if there is a line feed.
  binary: { label: 'binary', encode: (file, lineEnd) => (lineEnd === '\r' ? asLines(file, lineEnd) : file) },
  uuencode: { label: 'x-uuencode', encode: uuencode },
};

const types = [
  'application/octet-stream',
  'application/pdf',
  'image/png',
  'text/plain',
  'text/calendar; method=REQUEST',
  'text/html',
];
const dispositions = ['attachment; filename="file.bin"', 'inline; filename="file.bin"', null];
/** Every file in every encoding that can carry it, as every type and disposition, between parts and as the last one. */
export async function attachFiles(): Promise<AttachmentCase[]> {
  const cases: AttachmentCase[] = [];
  for (const [encoding, { label, encode }] of Object.entries(encodings)) {
    for (const [what, file] of Object.entries(files)) {
      for (const name of ['CRLF', 'LF', 'CR'] as const) {
        const lineEnd = lineEnds[name];
        const body = encode(file, lineEnd);
        if (body === null) continue;
        for (const [index, type] of types.entries()) {
          const disposition = dispositions[index % dispositions.length] ?? null;
          const isLast = index % 2 === 0;
          const raw = messageWith(body, { label, type, disposition, isLast, lineEnd });
          const { attachments } = await parseMime(raw);
          const [found] = attachments;
          cases.push({
            encoding,
            lineEnds: name,
            what: `${what}, ${type}, ${disposition ?? 'no disposition'}`,
            isIdentical: attachments.length === 1 && found !== undefined && file.equals(found.content),
          });
        }
      }
    }
  }
  return [...cases, ...(await attachWinmail())];
}

interface Placement {
  readonly label: string;
  readonly type: string;
  readonly disposition: string | null;
  readonly isLast: boolean;
  readonly lineEnd: string;
}

function messageWith(body: Buffer, { label, type, disposition, isLast, lineEnd }: Placement): Buffer {
  const lines = (...of: readonly (string | null)[]) =>
    Buffer.from(of.flatMap((line) => (line === null ? [] : `${line}${lineEnd}`)).join(''));
  return Buffer.concat([
    lines('From: ann@a.example', 'To: bob@b.example', 'Subject: File', 'MIME-Version: 1.0'),
    lines('Content-Type: multipart/mixed; boundary="=_boundary"', '', '--=_boundary'),
    lines('Content-Type: text/plain', '', 'Here it is.', '--=_boundary'),
    lines(`Content-Type: ${type}; name="file.bin"`, disposition && `Content-Disposition: ${disposition}`),
    lines(label === '' ? null : `Content-Transfer-Encoding: ${label}`, ''),
    body,
    lines('', isLast ? '--=_boundary--' : '--=_boundary'),
    isLast ? Buffer.alloc(0) : lines('Content-Type: text/plain', '', 'Bye.', '--=_boundary--'),
  ]);
}

async function attachWinmail(): Promise<AttachmentCase[]> {
  const cases: AttachmentCase[] = [];
  for (const [what, file] of Object.entries(files)) {
    const stream = tnef({ files: [{ title: Buffer.from('file.bin'), data: file }] });
    const raw = messageWith(inLines(stream.toString('base64'), 76, '\r\n'), {
      label: 'base64',
      type: 'application/ms-tnef',
      disposition: 'attachment; filename="winmail.dat"',
      isLast: true,
      lineEnd: '\r\n',
    });
    const { attachments } = await parseMime(raw);
    const isIdentical = attachments.some(({ content }) => file.equals(content));
    cases.push({ encoding: 'winmail.dat', lineEnds: 'CRLF', what, isIdentical });
  }
  return cases;
}

// Files of the corpus

/** Every attachment that mailparser finds in a well-formed message of the corpus. */
export async function compareAttachments(): Promise<AttachmentCase[]> {
  const cases: AttachmentCase[] = [];
  for (const file of ['mime', 'bounces', 'replies'].flatMap((folder) => messagesUnder(folder))) {
    const raw = readFileSync(join(corpus, file));
    if (isDamaged(file) || !raw.includes('\n')) continue;
    const theirs = await simpleParser(raw, { keepDeliveryStatus: true });
    const ours = await parseMime(raw);
    for (const { content, headers, contentType } of theirs.attachments) {
      const encoding = String(headers.get('content-transfer-encoding') ?? 'no encoding').toLowerCase();
      const isIdentical = ours.attachments.some((one) => content.equals(one.content));
      const lineEnds = raw.includes('\r\n') ? 'CRLF' : 'LF';
      cases.push({ encoding, lineEnds, what: `${file}, ${contentType}`, isIdentical });
    }
  }
  return cases;
}
