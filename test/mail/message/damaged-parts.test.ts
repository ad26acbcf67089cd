/** Multiparts and transfer encodings that are not as declared. */
import { describe, expect, it } from 'vitest';
import { parseMime } from '../../../lib/mail/message/parse-mime.ts';

const head = ['From: ann@a.example', 'Subject: Hi', 'MIME-Version: 1.0'];
const read = async (...lines: string[]) => {
  const { text, html, attachments } = await parseMime(Buffer.from([...head, ...lines].join('\n')));
  const files = attachments.map(({ filename, content }) => `${filename} ${Buffer.from(content).toString()}`);
  return { text, html, files };
};
const base64 = (text: string) => Buffer.from(text).toString('base64').replace(/.{76}/g, '$&\n');
const mixed = 'Content-Type: multipart/mixed; boundary=b';
const pdf = ['Content-Type: application/pdf; name=a.pdf', '', '%PDF'];
const sentence = 'Hello Bob, please call me when you have the time to do so, today or tomorrow.';

describe('parseMime of a multipart', () => {
  it.each([
    ['without end', [mixed, '', '--b', '', 'Hello', '--b', ...pdf]],
    [
      'cut in a delimiter',
      [mixed.replace('=b', '=limit'), '', '--limit', ...pdf, '--limit', '', 'Hello', '--lim'],
    ],
    [
      'cut in a header',
      [mixed, '', '--b', '', 'Hello', '--b', ...pdf, '--b', 'Content-Type: image/png', 'Content-Tr'],
    ],
    [
      'with another boundary',
      [mixed.replace('=b', '=x'), '', '--b', 'Content-Type: text/plain', '', 'Hello', '--b', ...pdf, '--b--'],
    ],
    ['without boundary', ['Content-Type: multipart/mixed', '', '--b', '', 'Hello', '--b', ...pdf, '--b--']],
    [
      'whose type is cut',
      ['Content-Type: mixed; boundary=b', '', '--b', '', 'Hello', '--b', ...pdf, '--b--'],
    ],
    [
      'without a semicolon',
      ['Content-Type: multipart/mixed boundary=b', '', '--b', '', 'Hello', '--b', ...pdf, '--b--'],
    ],
    [
      'with blanks after boundaries',
      ['Content-Type: multipart/mixed; boundary="b "', '', '--b  ', '', 'Hello', '--b ', ...pdf, '--b-- '],
    ],
    [
      'without its first delimiter',
      [mixed, '', 'Content-Type: text/plain', '', 'Hello', '--b', ...pdf, '--b--'],
    ],
    ['that goes on after its end', [mixed, '', '--b', '', 'Hello', '--b--', '', '--b', ...pdf, '--b--']],
    ['that ends with one dash', [mixed, '', '--b', ...pdf, '--b', '', 'Hello', '--b-']],
    [
      'that is not declared',
      [
        '',
        'This is a multi-part message in MIME format.',
        '',
        '--b',
        'Content-Type: text/plain',
        '',
        'Hello',
        '--b',
        ...pdf,
        '--b--',
      ],
    ],
    [
      'that is encoded as a whole',
      [
        mixed,
        'Content-Transfer-Encoding: base64',
        '',
        base64(['--b', '', 'Hello', '--b', ...pdf, '--b--'].join('\n')),
      ],
    ],
    [
      'beside lines of a dump',
      [
        mixed,
        '',
        '--b',
        '',
        'Hello',
        '--b',
        ...pdf,
        '--b',
        'Content-Type: image/x; name=b.x',
        '',
        ...Array(1000).fill('-- note'),
        '--b--',
      ],
    ],
    [
      'with an inner one without end',
      [
        mixed,
        '',
        '--b',
        'Content-Type: multipart/related; boundary=r',
        '',
        '--r',
        '',
        'Hello',
        '--b',
        ...pdf,
      ],
    ],
    [
      'with an inner one of another boundary',
      [
        mixed,
        '',
        '--b',
        'Content-Type: multipart/related; boundary=r',
        '',
        '--x',
        'Content-Type: text/plain',
        '',
        'Hello',
        '--x--',
        '--b',
        ...pdf,
        '--b--',
      ],
    ],
    [
      'with an inner one of an end alone',
      [
        mixed,
        '',
        '--b',
        'Content-Type: multipart/related; boundary=r',
        '',
        'Hello',
        '--r--',
        '--b',
        ...pdf,
        '--b--',
      ],
    ],
    [
      'whose boundary begins an inner one',
      [
        mixed,
        '',
        '--b',
        'Content-Type: multipart/related; boundary=b--',
        '',
        '--b--',
        '',
        'Hello',
        '--b----',
        '--b',
        ...pdf,
        '--b--',
      ],
    ],
  ])('%s has its text and its file', async (_what, lines) => {
    const { text, files } = await read(...lines);
    expect([text, files[0]]).toEqual(['Hello', 'a.pdf %PDF']);
  });

  it.each([
    ['no delimiter', ['Hello']],
    ['an end alone', ['Hello', '--b--']],
    ['the header of a part alone', ['Content-Type: text/plain', '', 'Hello']],
    [
      'a quoted-printable part alone',
      ['Content-Type: text/plain', 'Content-Transfer-Encoding: quoted-printable', '', 'Hel=6Co'],
    ],
  ])('with %s is its text', async (_what, lines) => {
    expect(await read(mixed, '', ...lines)).toEqual({ text: 'Hello', html: null, files: [] });
  });

  it('without parts is html when it is a page', async () => {
    const page = '<html><body>Hi</body></html>';
    expect(await read(mixed, '', page)).toEqual({ text: null, html: page, files: [] });
  });

  it('leaves no closing delimiter of a lost multipart in a text', async () => {
    expect((await read('', 'Hello', '', '--_000_AB12cd34_--')).text).toBe('Hello');
    const quoted = ['see', '', '--_000_AB12cd34_', 'one', '--_000_AB12cd34_--'].join('\n');
    expect((await read('', quoted)).text).toBe(quoted);
  });

  it.each([20, 30, 3000])('is read in bounded time when %i boundaries are wrong', async (count) => {
    const lines = Array.from(
      { length: count },
      (_, at) => `Content-Type: multipart/mixed; boundary=b${at}\n`,
    );
    const raw = Buffer.from(`${lines.join('\n')}\n${'--x\n'.repeat(300_000)}`);
    const { user } = process.threadCpuUsage();
    const { text } = await parseMime(raw);
    expect(text).toContain('--x');
    // One search takes a twentieth of this.
    expect((process.threadCpuUsage().user - user) / 1000).toBeLessThan(2000);
  });
});

describe('parseMime of a text whose encoding is not the declared one', () => {
  const inEncoding = async (encoding: string, body: string) =>
    (
      await read(
        'Content-Type: text/plain; charset=utf-8',
        `Content-Transfer-Encoding: ${encoding}`,
        '',
        body,
      )
    ).text;

  it.each([
    ['sentences', 'Hello Bob,\nplease call me. Thanks!\nAnn'],
    ['a word', 'Thanks'],
    ['words', 'Thanks Bob see you'],
    ['letters of another script', 'Добрый день'],
  ])('keeps %s that are not base64', async (_what, body) => {
    expect(await inEncoding('base64', body)).toBe(body);
  });

  it.each([
    ['utf-16le', 'Hello Bob'],
    ['latin1', 'ça va?'],
  ] as const)('decodes a short text in base64 and %s', async (charset, text) => {
    const fields = [`Content-Type: text/plain; charset=${charset}`, 'Content-Transfer-Encoding: base64'];
    expect((await read(...fields, '', Buffer.from(text, charset).toString('base64'))).text).toBe(text);
  });

  it('decodes the lines that are base64 and keeps those of lists and gateways', async () => {
    expect(await inEncoding('base64', `${base64(sentence)}\n____________\nlist@x.example`)).toBe(
      `${sentence}\n____________\nlist@x.example`,
    );
    expect(await inEncoding('base64', `[EXTERNAL] Be careful!\n\n${base64(sentence)}`)).toBe(
      `[EXTERNAL] Be careful!\n\n${sentence}`,
    );
  });

  it.each([
    ['7bit', 'Sch=C3=B6ne Gr=C3=BC=C3=9Fe', 'Schöne Grüße'],
    ['8bit', base64(sentence), sentence],
    ['x-unknown', base64(sentence), sentence],
    ['base-64', base64('Hi'), 'Hi'],
    ['quoted_printable', 'Gr=C3=BC=C3=9Fe', 'Grüße'],
  ])('decodes what %s hides', async (encoding, body, text) => {
    expect(await inEncoding(encoding, body)).toBe(text);
  });

  it.each([
    ['quoted-printable', 'See http://x.example/?id=12&b=ab and a=b'],
    ['7bit', 'charset=utf-8 means Sch=C3=B6n, =C3=BC'],
    ['7bit', 'a=10, b=20, c=30'],
    [
      '7bit',
      base64(Buffer.from(Array.from({ length: 90 }, (_, at) => (at * 37) & 0xff)).toString('latin1')).slice(
        0,
        50,
      ),
    ],
  ])('keeps text in %s with equals signs and tokens: %j', async (encoding, body) => {
    expect(await inEncoding(encoding, body)).toBe(body);
  });
});
