import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { limits } from '../../../lib/core/limits.ts';
import { type ParsedMessage, parseMime } from '../../../lib/mail/message/parse-mime.ts';
import { receivedTextBudget, truncateBytes, truncateText } from '../../../lib/mail/text/text-limits.ts';

const shown = { plain: 100, html: 200 };
const parse = (...lines: string[]) => parseMime(Buffer.from(lines.join('\r\n')), shown);
const line = 'Twelve bytes';
const text = `${line}\r\n`.repeat(20);
const beginning = `${line}\n`.repeat(7).trimEnd();
const files = ({ attachments }: ParsedMessage) =>
  attachments.map(({ filename, contentType, content }) => [
    filename,
    contentType,
    Buffer.from(content).toString(),
  ]);

describe('truncateBytes', () => {
  it.each([
    ['all of it where it fits', 'one\ntwo\n', 8, 'one\ntwo\n'],
    ['whole lines', 'one\ntwo\nthree', 10, 'one\ntwo\n'],
    ['part of a line where lines are long', 'one\ntwo and so on', 9, 'one\ntwo a'],
    ['whole characters', 'größer', 3, 'gr'],
    ['nothing where there is no room', 'one', 0, ''],
  ])('returns %s', (_what, content, room, expected) => {
    expect(Buffer.from(truncateBytes(Buffer.from(content), room)).toString()).toBe(expected);
    expect(truncateText(content, room)).toBe(expected);
  });

  it('returns text that fits', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.nat(50), (content, room) => {
        const cut = truncateText(content, room);
        expect(Buffer.byteLength(cut)).toBeLessThanOrEqual(room);
        // Lone surrogates have no UTF-8 form.
        if (content.isWellFormed()) expect(content.startsWith(cut)).toBe(true);
      }),
    );
  });
});

describe('parseMime of a long text', () => {
  it('returns whole lines of the beginning and the text as a file', async () => {
    const message = await parse('Subject: x', '', text);
    expect(message.text).toBe(beginning);
    expect(files(message)).toEqual([['message.txt', 'text/plain', text]]);
    expect(message.problems).toEqual([]);
  });

  it('returns the alternative whole when only one form is long', async () => {
    const html = `<p>${'x'.repeat(150)}</p>`;
    const message = await parse(
      'Content-Type: multipart/alternative; boundary=b',
      '',
      '--b',
      'Content-Type: text/plain; charset=utf-8',
      '',
      text,
      '--b',
      'Content-Type: text/html; charset=utf-8',
      '',
      html,
      '--b--',
    );
    expect([message.text, message.html]).toEqual([beginning, html]);
    expect(files(message).map(([name]) => name)).toEqual(['message.txt']);
  });

  it('returns html as a file of type text/html', async () => {
    const html = `<p>${'x'.repeat(300)}</p>`;
    const message = await parse('Content-Type: text/html; charset=utf-8', '', html);
    expect(message.html).toBe(html.slice(0, shown.html));
    expect(files(message)).toEqual([['message.html', 'text/html', html]]);
  });

  it('returns as many texts as fit when there are several', async () => {
    const part = (content: string) => ['--b', 'Content-Type: text/plain', '', content];
    const message = await parse(
      'Content-Type: multipart/mixed; boundary=b',
      '',
      ...part('x'.repeat(30)),
      ...part(text),
      ...part('third'),
      '--b--',
    );
    expect(message.text).toBe(`${'x'.repeat(30)}\n\n${`${line}\n`.repeat(5).trimEnd()}`);
    expect(files(message)).toEqual([
      ['message.txt', 'text/plain', text],
      ['message.txt', 'text/plain', 'third'],
    ]);
  });

  it('returns a file for each truncated text', async () => {
    const parts = ['a', 'b', 'c', 'd'].map((letter) => letter.repeat(40));
    const message = await parse(
      'Content-Type: multipart/mixed; boundary=b',
      '',
      ...parts.flatMap((content) => ['--b', 'Content-Type: text/plain', '', content]),
      '--b--',
    );
    expect(message.text).toBe([...parts.slice(0, 2), 'c'.repeat(16)].join('\n\n'));
    expect(files(message).map(([, , content]) => content)).toEqual(parts.slice(2));
  });

  it.each([
    ['base64', Buffer.from(text).toString('base64')],
    ['quoted-printable', text.replaceAll('e', '=65')],
  ])('counts decoded bytes when the encoding is %s', async (encoding, body) => {
    const long = await parse(`Content-Transfer-Encoding: ${encoding}`, '', body);
    expect(long.text).toBe(beginning);
    expect(long.attachments).toHaveLength(1);
    const short = encoding === 'base64' ? Buffer.from('x'.repeat(90)).toString('base64') : '=78'.repeat(90);
    const { text: fitting, attachments } = await parse(`Content-Transfer-Encoding: ${encoding}`, '', short);
    expect([fitting, attachments]).toEqual(['x'.repeat(90), []]);
  });

  it('unflows the beginning', async () => {
    const message = await parse('Content-Type: text/plain; format=flowed', '', 'word \r\n'.repeat(40));
    expect(message.text).toBe('word '.repeat(16).trimEnd());
    expect(files(message)).toEqual([['message.txt', 'text/plain', 'word \r\n'.repeat(40)]]);
  });

  it('keeps the filename of the part', async () => {
    const message = await parse(
      'Content-Type: text/plain; charset=utf-8',
      "Content-Disposition: inline; filename*=utf-8''b%C3%A4ume.log",
      '',
      text,
    );
    expect(message.attachments.map(({ filename }) => filename)).toEqual(['bäume.log']);
  });

  it('keeps the file unchanged when the charset is missing or wrong', async () => {
    const latin1 = Buffer.from('größer als\n'.repeat(20), 'latin1');
    for (const field of ['Subject: x', 'Content-Type: text/plain; charset=utf-8; format=fixed']) {
      const message = await parseMime(Buffer.concat([Buffer.from(`${field}\r\n\r\n`), latin1]), shown);
      expect(message.text).toBe('größer als\n'.repeat(4).trimEnd());
      expect(message.attachments.map(({ content }) => Buffer.from(content))).toEqual([latin1]);
      expect(message.problems).toEqual([
        'the text is not in the charset it declares; decoded as windows-1252',
      ]);
    }
  });

  it('truncates the body when the structure is invalid', async () => {
    const lines = '--b\r\n\r\na\r\n'.repeat(30_000);
    const message = await parse('Content-Type: multipart/mixed; boundary=b', '', lines);
    expect(message.text?.length).toBeLessThanOrEqual(shown.plain);
    expect(files(message)).toEqual([['message.txt', 'text/plain', lines]]);
    expect(message.problems).toEqual(['the message has too many parts']);
  });

  it('truncates text that was converted from html', async () => {
    const message = await parse(
      'Content-Type: multipart/mixed; boundary=b',
      '',
      '--b',
      '',
      "'".repeat(90),
      '--b',
      'Content-Type: text/html',
      '',
      '<p>x</p>',
      '--b--',
    );
    // Each character takes six characters of html.
    expect(message.html).toHaveLength(shown.html);
    expect(message.text).toContain("'".repeat(90));
  });
});

describe('parseMime of a text file', () => {
  it('returns the file whole when it is long', async () => {
    const message = await parse('Content-Disposition: attachment; filename=a.log', '', text);
    expect(message.text).toBeNull();
    expect(files(message)).toEqual([['a.log', 'text/plain', text]]);
  });
});

describe('receivedTextBudget', () => {
  it('lets a response hold the text three times and the html twice', () => {
    expect(3 * receivedTextBudget.plain + 2 * receivedTextBudget.html).toBeLessThanOrEqual(limits.pageBytes);
  });
});
