import { describe, expect, it } from 'vitest';
import { parseMime } from '../../../lib/mail/message/parse-mime.ts';
import { binary, tnef, unicode } from './tnef-builder.ts';

const pdf = Buffer.from('%PDF-1.4\n\0\xff\r\n', 'latin1');
const image = {
  data: Buffer.from('png'),
  properties: [unicode(0x3707, 'logo.png'), unicode(0x3712, 'logo@x')],
};

/** A message of an optional text and `winmail.dat`. */
function messageWith(stream: Buffer, text: string | null, type = 'application/ms-tnef'): string {
  const textPart = ['--b', 'Content-Type: text/plain', '', text ?? ''];
  return [
    'From: ann@a.example',
    'Content-Type: multipart/mixed; boundary=b',
    '',
    ...(text === null ? [] : textPart),
    '--b',
    `Content-Type: ${type}; name="winmail.dat"`,
    'Content-Transfer-Encoding: base64',
    '',
    stream.toString('base64'),
    '--b--',
    '',
  ].join('\r\n');
}

const parse = (raw: string) => parseMime(Buffer.from(raw));

describe('parseMime with winmail.dat', () => {
  it('replaces it with its files and keeps the own text of the message', async () => {
    const stream = tnef({
      properties: [unicode(0x1000, 'Text of Outlook')],
      files: [{ title: Buffer.from('../a b.pdf'), data: pdf }],
    });
    const { text, html, attachments, problems } = await parse(messageWith(stream, 'See below.'));
    expect([text, html, problems]).toEqual(['See below.', null, []]);
    expect(attachments).toEqual([
      {
        filename: 'a b.pdf',
        contentType: 'application/pdf',
        disposition: 'attachment',
        cid: null,
        content: pdf,
        relatedToHtml: false,
      },
    ]);
  });

  it('takes its body when the message has none, also by name only', async () => {
    const html = binary(0x1013, Buffer.from('<p>Hi<img src="cid:logo@x"></p>'));
    const stream = tnef({ properties: [html, unicode(0x1000, 'Hi')], files: [image] });
    for (const text of [null, ' ']) {
      const message = await parse(messageWith(stream, text, 'application/octet-stream'));
      expect([message.text, message.html]).toEqual(['Hi', '<p>Hi<img src="cid:logo@x"></p>']);
      expect(message.attachments).toMatchObject([
        { filename: 'logo.png', contentType: 'image/png', cid: 'logo@x', relatedToHtml: true },
      ]);
    }
  });

  it('keeps it beside its files when it is truncated', async () => {
    const stream = tnef({ files: [{ title: Buffer.from('a.pdf'), data: pdf }] }).subarray(0, -3);
    const { attachments, problems } = await parse(messageWith(stream, 'See below.'));
    expect(attachments.map(({ filename }) => filename)).toEqual(['winmail.dat', 'a.pdf']);
    expect(problems).toHaveLength(1);
  });

  it('keeps it alone when it is no TNEF', async () => {
    const { attachments } = await parse(messageWith(pdf, 'See below.'));
    expect(attachments).toMatchObject([{ filename: 'winmail.dat', content: pdf }]);
  });

  it('opens at most 200 files and keeps it when there are more', async () => {
    const files = Array.from({ length: 300 }, (_, at) => ({ title: Buffer.from(`${at}.pdf`), data: pdf }));
    const { attachments } = await parse(messageWith(tnef({ files }), 'See below.'));
    expect(attachments).toHaveLength(201);
    expect(attachments[0]?.filename).toBe('winmail.dat');
  });

  it('adds a body over the budget as a file', async () => {
    const long = 'A line of text.\n'.repeat(100_000);
    const { text, attachments } = await parse(
      messageWith(tnef({ properties: [unicode(0x1000, long)] }), null),
    );
    expect(long.startsWith(text ?? '-')).toBe(true);
    expect(attachments).toMatchObject([{ filename: 'message.txt', content: Buffer.from(long) }]);
  });
});
