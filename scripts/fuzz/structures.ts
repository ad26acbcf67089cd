/** Messages with a hostile MIME structure, encoding or character set. Strings of octets. */

import { pickFrom, type Random } from '../random.ts';
import { htmlStorms, plainStorms } from '../ten-megabytes.ts';
import { hostileText, octets, repeated } from './hostile-text.ts';

const head = 'From: Anna <anna@example.test>\r\nSubject: Structure\r\nMIME-Version: 1.0\r\n';

type Make = (random: Random) => string;

export const structures: Readonly<Record<string, Make>> = {
  'nested parts': (random) => head + nested(1 + random.below(3_000), 'multipart/mixed', random),
  'nested messages': (random) =>
    head + 'Content-Type: message/rfc822\r\n\r\n'.repeat(1 + random.below(500)) + leaf(random),
  'many parts': (random) => {
    const parts = Array.from({ length: 1 + random.below(3_000) }, () => part(random, 'x'));
    return `${mixed('x')}${parts.join('')}--x--\r\n`;
  },
  'many files': (random) => {
    const files = Array.from(
      { length: 100 + random.below(400) },
      (_, at) =>
        `--x\r\nContent-Type: text/csv\r\nContent-Disposition: attachment; filename="${at}.csv"\r\n\r\na,${at}\r\n`,
    );
    return `${mixed('x')}${files.join('')}--x--\r\n`;
  },
  'no end': (random) => `${mixed('x')}${part(random, 'x')}${part(random, 'x')}`,
  'no parts': (random) => `${mixed('x')}${hostileText(random, random.below(2_000))}`,
  'no boundary': (random) => `${head}Content-Type: multipart/mixed\r\n\r\n${part(random, 'x')}--x--\r\n`,
  'ambiguous boundaries': (random) => {
    const inner = `Content-Type: multipart/alternative; boundary=xx\r\n\r\n${part(random, 'xx')}${part(random, 'x')}`;
    return `${mixed('x')}--x\r\n${inner}--xx--\r\n--x--\r\n${part(random, 'x')}`;
  },
  'two types': (random) =>
    `${head}Content-Type: text/html\r\nContent-Type: multipart/mixed; boundary=x\r\n\r\n${part(random, 'x')}--x--`,
  'wrong encoding': (random) =>
    `${head}Content-Type: ${random.pick(types)}\r\nContent-Transfer-Encoding: ${random.pick(encodings)}\r\n\r\n${body(random, 100_000)}`,
  'wrong charset': (random) =>
    `${head}Content-Type: ${random.pick(['text/plain', 'text/html'])}; charset=${random.pick(charsets)}\r\n\r\n${body(random, 100_000)}`,
  'header only': () => head,
  'body only': (random) => `\r\n${body(random, 10_000)}`,
  'octets only': (random) => body(random, 10_000),
  'storm of text': (random) =>
    `${head}Content-Type: text/plain; charset=utf-8\r\n\r\n${storm(random, plainStorms)}`,
  'storm of html': (random) =>
    `${head}Content-Type: text/html; charset=utf-8\r\n\r\n${storm(random, htmlStorms)}`,
  'disguised file': (random) => {
    const encoded = Buffer.from(random.pick(signatures) + body(random, 50_000), 'latin1').toString('base64');
    return `${mixed('x')}--x\r\nContent-Type: ${random.pick(types)}\r\nContent-Disposition: attachment; filename="a.${random.pick(extensions)}"\r\nContent-Transfer-Encoding: base64\r\n\r\n${encoded}\r\n--x--\r\n`;
  },
  'large file': (random) =>
    `${mixed('x')}--x\r\nContent-Type: ${random.pick(types)}; name=large\r\n\r\n${repeated(hostileText(random, 100), 1_000_000 + random.below(2_000_000))}\r\n--x--\r\n`,
};

const types = [
  'text/plain',
  'text/html',
  'text/csv',
  'text/calendar',
  'text/enriched',
  'application/pdf',
  'application/zip',
  'application/ms-tnef',
  'application/octet-stream',
  'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
  'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  'application/vnd.openxmlformats-officedocument.presentationml.presentation',
  'image/png',
  'message/rfc822',
  'message/partial; number=1; total=2; id="a"',
  'message/external-body; access-type=URL; URL="http://127.0.0.1/"',
  'message/delivery-status',
  'multipart/mixed',
] as const;
const encodings = [
  'base64',
  'quoted-printable',
  'x-uuencode',
  '7bit',
  '8bit',
  'binary',
  'x-gzip64',
  '',
] as const;
const charsets = [
  'utf-8',
  'utf-16',
  'utf-16le',
  'utf-32',
  'utf-7',
  'us-ascii',
  'iso-2022-jp',
  'iso-2022-kr',
  'iso-2022-cn',
  'hz-gb-2312',
  'gb18030',
  'big5',
  'shift_jis',
  'euc-kr',
  'koi8-r',
  'windows-1252',
  'x-user-defined',
  'ibm037',
  'unknown-8bit',
  '""',
  '*',
] as const;
const signatures = [
  '%PDF-1.7\n',
  'PK\x03\x04',
  '\xd0\xcf\x11\xe0',
  'BEGIN:VCALENDAR\r\n',
  '\x89PNG',
  '{\\rtf',
  '<html>',
  '',
] as const;
const extensions = ['pdf', 'docx', 'xlsx', 'pptx', 'zip', 'ics', 'eml', 'html', 'csv', 'txt', 'exe'] as const;

function mixed(boundary: string): string {
  return `${head}Content-Type: multipart/mixed; boundary=${boundary}\r\n\r\n`;
}

function nested(depth: number, type: string, random: Random): string {
  const levels = Array.from(
    { length: depth },
    (_, level) => `Content-Type: ${type}; boundary=b${level}\r\n\r\n--b${level}\r\n`,
  );
  return levels.join('') + leaf(random);
}

function leaf(random: Random): string {
  return `Content-Type: text/plain\r\n\r\n${body(random, 1_000)}\r\n`;
}

function part(random: Random, boundary: string): string {
  const type = random.below(2) === 0 ? `Content-Type: ${random.pick(types)}\r\n` : '';
  const encoding = random.below(4) === 0 ? `Content-Transfer-Encoding: ${random.pick(encodings)}\r\n` : '';
  return `--${boundary}\r\n${type}${encoding}\r\n${body(random, 300)}\r\n`;
}

/** Text of which a decoder makes something, or any octets. */
function body(random: Random, lengthMax: number): string {
  const length = random.below(lengthMax);
  switch (random.below(5)) {
    case 0:
      return Array.from({ length: Math.min(length, 5_000) }, () =>
        String.fromCharCode(random.below(256)),
      ).join('');
    case 1:
      return repeated(
        random.pick(['YQ==', 'w6k=\r\n', '=C3=A9', '=\r\n', '=ZZ', '\x1b$B', '+AGE-', '~{']),
        length,
      );
    case 2:
      return repeated(octets('Grüße 😀\r\n'), length);
    default:
      return hostileText(random, length);
  }
}

function storm(random: Random, storms: Readonly<Record<string, string>>): string {
  return repeated(octets(pickFrom(random, Object.values(storms))), 10_000 + random.below(1_000_000));
}
