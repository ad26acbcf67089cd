/** Messages as large as SES takes them, in the shapes that cost most to read. */
import { randomBytes } from 'node:crypto';

/** Of a whole message, files in base64 included (SES quotas, "maximum message size" of receiving). */
export const messageMegabytes = 40;

const messageOctets = messageMegabytes * 1024 * 1024;
const boundary = 'part';
/** Octets of a file in a line of base64, and those of the line. */
const [fileOctets, lineOctets] = [57, 78];

const quotedLine = '> quoted line of some length, as in a long thread\r\n';
const paragraph = '<p class="MsoNormal">The quick brown fox jumps over the lazy dog.</p>\r\n';
const event = 'DESCRIPTION: what is written about an event in a calendar\r\n';
const row = '2026-01-31,books,2,"one of them, the blue one, is out of print",anna@example.test\r\n';
/** Makes every character of a text take two bytes in memory. */
const beyondLatin = '→\r\n';

/** What is in them → the message after the other fields of its header. */
export const largeMails: Readonly<Record<string, () => Buffer>> = {
  'one file': () => mixed([film(1)]),
  'ten files': () => mixed(Array.from({ length: 10 }, () => film(10))),
  'a text of quoted lines': () => body('text/plain', quotedLine),
  'a text of quoted lines, and a letter beyond Latin': () => body('text/plain', quotedLine, beyondLatin),
  'a text in another charset than it claims': () => body('text/plain', 'größer als\r\n', '', 'latin1'),
  'an html body': () => body('text/html', paragraph),
  'an html body, and a letter beyond Latin': () => body('text/html', paragraph, beyondLatin),
  'a text and an html body': () => bothBodies(),
  'a calendar, and a letter beyond Latin': () => body('text/calendar', event, beyondLatin),
};

/** As large a table as fits into a message. */
export function largeTable(): Buffer {
  const octets = octetsOfFile(1);
  return mixed([file('table.csv', 'text/csv', Buffer.from(row.repeat(octets / row.length)))]);
}

function body(type: string, line: string, first = '', encoding: 'utf8' | 'latin1' = 'utf8'): Buffer {
  return Buffer.from(filled(`Content-Type: ${type}; charset=utf-8\r\n\r\n${first}`, line), encoding);
}

function bothBodies(): Buffer {
  const part = (type: string) => `--${boundary}\r\nContent-Type: ${type}; charset=utf-8\r\n\r\n`;
  const text = quotedLine.repeat(messageOctets / 2 / quotedLine.length);
  const head = `Content-Type: multipart/alternative; boundary=${boundary}\r\n\r\n`;
  return Buffer.from(filled(`${head}${part('text/plain')}${text}${part('text/html')}`, paragraph));
}

/** `line` after the beginning again and again, with some room left for the fields before them. */
function filled(beginning: string, line: string): string {
  const room = messageOctets - 2000 - Buffer.byteLength(beginning);
  return beginning + line.repeat(room / Buffer.byteLength(line));
}

function mixed(files: readonly string[]): Buffer {
  const head = `Content-Type: multipart/mixed; boundary=${boundary}\r\n`;
  return Buffer.from([head, ...files, `--${boundary}--\r\n`].join('\r\n'));
}

/** One of `count` films that fit into a message together. */
function film(count: number): string {
  return file('film.mp4', 'video/mp4', randomBytes(octetsOfFile(count)));
}

function file(name: string, type: string, content: Buffer): string {
  return [
    `--${boundary}`,
    `Content-Type: ${type}`,
    `Content-Disposition: attachment; filename="${name}"`,
    'Content-Transfer-Encoding: base64',
    '',
    content.toString('base64').replace(/.{76}/g, '$&\r\n'),
  ].join('\r\n');
}

function octetsOfFile(count: number): number {
  return Math.floor((messageOctets / count - 2000) / lineOctets) * fileOctets;
}
