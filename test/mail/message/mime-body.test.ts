import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { simpleParser } from 'mailparser';
import { encode as encodeQuotedPrintable, wrap } from 'nodemailer/lib/qp';
import { describe, expect, it } from 'vitest';
import { parseMime } from '../../../lib/mail/message/parse-mime.ts';

const sha256 = (content: Uint8Array): string => createHash('sha256').update(content).digest('hex');

/** A message of a text and a file. */
function messageWith(fields: readonly string[], body: Buffer, lineEnd = '\r\n'): Buffer {
  const join = (lines: readonly string[]) => lines.join(lineEnd);
  const head = [
    'From: ann@a.example',
    'Content-Type: multipart/mixed; boundary=b',
    '',
    '--b',
    'Content-Type: text/plain',
    '',
    'See below.',
    '--b',
    ...fields,
    '',
    '',
  ];
  return Buffer.concat([Buffer.from(join(head)), body, Buffer.from(join(['', '--b--', '']))]);
}

async function fileIn(fields: readonly string[], body: Buffer, lineEnd = '\r\n') {
  const { attachments } = await parseMime(messageWith(fields, body, lineEnd));
  expect(attachments).toHaveLength(1);
  const [file] = attachments;
  return { ...file, content: Buffer.from(file?.content ?? []) };
}

const named = (type: string, encoding: string) => [
  `Content-Type: ${type}; name="a.bin"`,
  'Content-Disposition: attachment; filename="a.bin"',
  `Content-Transfer-Encoding: ${encoding}`,
];

/** POSIX uuencode. */
function uuencode(content: Buffer, name = 'a.bin'): Buffer {
  const character = (bits: number) => (bits === 0 ? '`' : String.fromCharCode(bits + 32));
  const lines: string[] = [];
  for (let at = 0; at < content.length; at += 45) {
    const line = content.subarray(at, at + 45);
    let text = character(line.length);
    for (let unit = 0; unit < line.length; unit += 3) {
      const bits = ((line[unit] ?? 0) << 16) | ((line[unit + 1] ?? 0) << 8) | (line[unit + 2] ?? 0);
      text += [18, 12, 6, 0].map((shift) => character((bits >> shift) & 63)).join('');
    }
    lines.push(text);
  }
  return Buffer.from([`begin 644 ${name}`, ...lines, '`', 'end'].join('\r\n'));
}

const everyByte = Buffer.from(Array.from({ length: 1024 }, (_, at) => (at * 7) & 0xff));
/** Lines of a PDF end in LF, and its streams hold any byte. */
const pdf = Buffer.concat([
  Buffer.from('%PDF-1.4\n1 0 obj\nstream\n'),
  everyByte,
  Buffer.from('\nendstream\n'),
]);
const calendar = Buffer.from('BEGIN:VCALENDAR\r\nSUMMARY:a\r\n\r\nEND:VCALENDAR\r\n\r\n');
const text = Buffer.from('first\r\nsecond  \r\n\r\nno end');

describe('parseMime keeps the bytes of a file', () => {
  it.each([
    ['7bit', text, text],
    ['8bit', Buffer.from('Grüße\r\nzwei\r\n'), Buffer.from('Grüße\r\nzwei\r\n')],
    ['8bit', Buffer.from('Gr\xfc\xdfe\r\n', 'latin1'), Buffer.from('Gr\xfc\xdfe\r\n', 'latin1')],
    ['binary', pdf, pdf],
    ['base64', Buffer.from(pdf.toString('base64').replace(/.{76}/g, '$&\r\n')), pdf],
    ['quoted-printable', Buffer.from(wrap(encodeQuotedPrintable(pdf), 76)), pdf],
    ['x-uuencode', uuencode(pdf), pdf],
    ['uuencode', uuencode(calendar), calendar],
  ])('when the encoding is %s', async (encoding, body, expected) => {
    const { content } = await fileIn(named('application/pdf', encoding), body);
    expect(sha256(content)).toBe(sha256(expected));
  });

  it.each([
    'text/plain',
    'text/html',
    'text/calendar; method=REQUEST',
    'application/ics',
    'text/csv',
    'message/rfc822',
    'message/delivery-status',
  ])('when the type is %s', async (type) => {
    for (const encoding of ['base64', '8bit', 'quoted-printable']) {
      const body =
        encoding === 'base64'
          ? Buffer.from(calendar.toString('base64'))
          : encoding === '8bit'
            ? calendar
            : Buffer.from(encodeQuotedPrintable(calendar));
      const { content, contentType } = await fileIn(named(type, encoding), body);
      expect([encoding, content.toString()]).toEqual([encoding, calendar.toString()]);
      expect(contentType).toBe(type.split(';')[0]);
    }
  });

  it.each(['7bit', 'quoted-printable'])(
    'when lines of the message end in LF and it is %s',
    async (encoding) => {
      const { content } = await fileIn(named('text/plain', encoding), Buffer.from('a\nb\n'), '\n');
      expect(content.toString()).toBe('a\nb\n');
    },
  );

  it('when lines of the message end in CR', async () => {
    const { content } = await fileIn(named('text/plain', '7bit'), Buffer.from('a\rb\r'), '\r');
    expect(content.toString()).toBe('a\rb\r');
  });

  it('as an independent parser decodes them', async () => {
    const encodings: Record<string, (content: Buffer) => Buffer> = {
      base64: (content) => Buffer.from(content.toString('base64')),
      'quoted-printable': (content) => Buffer.from(wrap(encodeQuotedPrintable(content), 76)),
      '8bit': (content) => content,
      binary: (content) => content,
    };
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...Object.keys(encodings)),
        fc.array(fc.constantFrom('\r\n', '\n', ' ', '\t', '=', 'a', '.', '\xe4', '\0', '--x', '\ufffd'), {
          maxLength: 60,
        }),
        async (encoding, pieces) => {
          const content = Buffer.from(pieces.join(''), 'latin1');
          const fields = named('application/octet-stream', encoding);
          const body = encodings[encoding]?.(content) ?? content;
          const { content: ours } = await fileIn(fields, body);
          const { attachments } = await simpleParser(messageWith(fields, body));
          expect(ours.toString('latin1')).toBe(content.toString('latin1'));
          expect(attachments[0]?.content.toString('latin1')).toBe(content.toString('latin1'));
        },
      ),
      { numRuns: 200 },
    );
  });

  it('without white space that transports added to lines of quoted-printable', async () => {
    const body = Buffer.from('one =20 \t\r\ntwo = \t\r\nthree \r\n');
    const { content } = await fileIn(named('text/x', 'quoted-printable'), body);
    expect(content.toString()).toBe('one  \r\ntwo three\r\n');
  });
});

describe('parseMime of a named text part', () => {
  it.each([
    ['no disposition', ['Content-Type: text/plain; name="notes.txt"'], null],
    [
      'disposition inline',
      ['Content-Type: text/plain', 'Content-Disposition: inline; filename=notes.txt'],
      'inline',
    ],
    ['an encoded name', ["Content-Type: text/html; name*0*=utf-8''n; name*1=otes.txt"], null],
  ])('returns text and a file when it has %s', async (_what, fields, disposition) => {
    const file = await fileIn(fields, Buffer.from('line one\r\nline two'));
    expect(file).toMatchObject({ filename: 'notes.txt', disposition });
    expect(file.content.toString()).toBe('line one\r\nline two');
    const message = await parseMime(messageWith(fields, Buffer.from('line one\r\nline two')));
    expect(message.text).toContain('line two');
  });

  it('returns no file when it is an alternative of the body', async () => {
    const message = await parseMime(
      Buffer.from(
        'Content-Type: multipart/alternative; boundary=b\r\n\r\n--b\r\nContent-Type: text/plain; name=body.txt\r\n\r\na\r\n--b--',
      ),
    );
    expect([message.text, message.attachments]).toEqual(['a', []]);
  });
});

describe('parseMime of a uuencoded part', () => {
  it('returns the name in the data when the part has none', async () => {
    const fields = ['Content-Type: application/octet-stream', 'Content-Transfer-Encoding: x-uuencode'];
    expect(await fileIn(fields, uuencode(text, 'from data.txt'))).toMatchObject({
      filename: 'from data.txt',
      content: text,
    });
  });

  it('decodes what POSIX uuencode writes', async () => {
    const body = Buffer.from('begin 644 cat.txt\r\n#0V%T\r\n`\r\nend\r\n');
    expect((await fileIn(named('text/plain', 'x-uuencode'), body)).content.toString()).toBe('Cat');
  });

  it('returns the body when there is no data', async () => {
    const body = Buffer.from('no data at all');
    expect((await fileIn(named('text/x', 'uuencode'), body)).content).toEqual(body);
  });
});
