import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { textOfHtml } from '../../../lib/mail/html/html-text.ts';
import { type ParsedMessage, parseMime } from '../../../lib/mail/message/parse-mime.ts';
import { strip } from '../../../lib/mail/quoting/strip.ts';
import { expectLinear } from '../../support/growth.ts';

function parse(...lines: string[]): Promise<ParsedMessage> {
  return parseMime(Buffer.from(lines.join('\r\n')));
}

function parseLatin1(...lines: string[]): Promise<ParsedMessage> {
  return parseMime(Buffer.from(lines.join('\r\n'), 'latin1'));
}

describe('parseMime of an ordinary message', () => {
  it('returns all fields, bodies and attachments', async () => {
    const parsed = await parse(
      'Return-Path: <ann@example.com>',
      'From: =?utf-8?q?Ann_L=C3=A9e?= <Ann@Example.com>',
      'Sender: bot@example.com',
      'To: Team: jo@acme.dev, "Kim, K." <kim@acme.dev>;',
      'Cc: lee@acme.dev',
      'Reply-To: reply@example.com',
      'Subject: =?utf-8?b?SGVsbG8=?=',
      ' =?utf-8?b?IHdvcmxk?= and',
      '\tmore',
      'Date: Sat, 21 Nov 2026 10:00:00 +0100',
      'Message-ID: <1@example.com>',
      'In-Reply-To: <0@acme.dev>',
      'References: <a@acme.dev>',
      ' <0@acme.dev>',
      'Content-Type: text/plain; charset=utf-8',
      '',
      'Grüße',
      '',
    );
    expect(parsed).toEqual({
      messageId: '<1@example.com>',
      inReplyTo: ['<0@acme.dev>'],
      references: ['<a@acme.dev>', '<0@acme.dev>'],
      from: { name: 'Ann Lée', address: 'Ann@example.com' },
      sender: { name: null, address: 'bot@example.com' },
      replyTo: [{ name: null, address: 'reply@example.com' }],
      to: [
        { name: null, address: 'jo@acme.dev' },
        { name: 'Kim, K.', address: 'kim@acme.dev' },
      ],
      cc: [{ name: null, address: 'lee@acme.dev' }],
      bcc: [],
      subject: 'Hello world and more',
      date: Date.UTC(2026, 10, 21, 9),
      html: null,
      text: 'Grüße',
      headers: [
        { name: 'Return-Path', value: '<ann@example.com>' },
        { name: 'From', value: 'Ann Lée <Ann@Example.com>' },
        { name: 'Sender', value: 'bot@example.com' },
        { name: 'To', value: 'Team: jo@acme.dev, "Kim, K." <kim@acme.dev>;' },
        { name: 'Cc', value: 'lee@acme.dev' },
        { name: 'Reply-To', value: 'reply@example.com' },
        { name: 'Subject', value: 'Hello world and more' },
        { name: 'Date', value: 'Sat, 21 Nov 2026 10:00:00 +0100' },
        { name: 'Message-ID', value: '<1@example.com>' },
        { name: 'In-Reply-To', value: '<0@acme.dev>' },
        { name: 'References', value: '<a@acme.dev> <0@acme.dev>' },
        { name: 'Content-Type', value: 'text/plain; charset=utf-8' },
      ],
      attachments: [],
      problems: [],
    });
  });
});

describe('parseMime of text', () => {
  it.each([
    ['undeclared windows-1252', [], 'Gr\xfc\xdfe aus K\xf6ln', 'Grüße aus Köln'],
    ['windows-1252 that claims UTF-8', ['Content-Type: text/plain; charset=utf-8'], 'Gr\xfc\xdfe', 'Grüße'],
    [
      'UTF-8 that claims ASCII',
      ['Content-Type: text/plain; charset=us-ascii'],
      'Gr\xc3\xbc\xc3\x9fe',
      'Grüße',
    ],
    [
      'UTF-8 that claims ISO-2022-JP',
      ['Content-Type: text/plain; charset=iso-2022-jp'],
      'Gr\xc3\xbc\xc3\x9fe',
      'Grüße',
    ],
    ['an unknown charset', ['Content-Type: text/plain; charset=x-nonsense'], 'Gr\xfc\xdfe', 'Grüße'],
    ['UTF-7', ['Content-Type: text/plain; charset=utf-7'], 'Gr+APwA3w-e 1 +- 1', 'Grüße 1 + 1'],
    ['bare ISO-2022-JP', [], '\x1b$B$3$s$K$A$O\x1b(B', 'こんにちは'],
    ['Shift_JIS', ['Content-Type: text/plain; charset=Shift_JIS'], '\x82\xb1\x82\xf1', 'こん'],
    [
      'undeclared, in the charset its subject names',
      ['Subject: =?koi8-r?B?8NLJ18XU?='],
      '\xf0\xd2\xc9\xd7\xc5\xd4',
      'Привет',
    ],
    [
      'undeclared under quoted-printable',
      ['Content-Transfer-Encoding: quoted-printable'],
      'Gr=FC=DFe',
      'Grüße',
    ],
    ['with NUL bytes', [], 'a\0b', 'ab'],
    ['flowed', ['Content-Type: text/plain; format=flowed'], 'one \r\ntwo\r\n> quoted', 'one two\n> quoted'],
  ])('decodes text %s', async (_, headers, body, text) => {
    expect((await parseLatin1(...headers, 'From: a@b.example', '', body)).text).toBe(text);
  });

  it('keeps UTF-8 when one byte is broken', async () => {
    const { text } = await parseLatin1(
      'Content-Type: text/plain; charset=utf-8',
      '',
      'Gr\xc3\xbc\xc3\x9fe, \xc3\xa4 \xff',
    );
    expect(text).toBe('Grüße, ä \ufffd');
  });

  it('decodes 8-bit subjects, names and filenames in the charset that the message declares elsewhere', async () => {
    const parsed = await parseLatin1(
      'From: J\xfcrgen <j@b.example>',
      'Subject: Gr\xfc\xdfe',
      'Content-Type: multipart/mixed; boundary=x',
      '',
      '--x',
      'Content-Type: text/plain; charset=iso-8859-1',
      '',
      'a',
      '--x',
      'Content-Type: application/pdf',
      'Content-Disposition: attachment; filename="Gr\xfc\xdfe.pdf"',
      '',
      '%PDF',
      '--x--',
    );
    expect([parsed.from?.name, parsed.subject, parsed.attachments[0]?.filename]).toEqual([
      'Jürgen',
      'Grüße',
      'Grüße.pdf',
    ]);
  });
});

describe('parseMime of a subject', () => {
  it.each([
    ['has no line breaks, even encoded ones', '=?utf-8?q?a=0D=0ABcc:_x?=', 'a Bcc: x'],
    ['in UTF-7', '=?utf-7?Q?Fr+APY-sche?=', 'Frösche'],
    ['with a character split between encoded words', '=?utf-8?q?=E2=9C?= =?utf-8?q?=94?=', '✔'],
    ['that is broken stays as it is', '=?utf-8?q?a', '=?utf-8?q?a'],
  ])('decodes %s', async (_, value, subject) => {
    expect((await parse(`Subject: ${value}`, '', '')).subject).toBe(subject);
  });

  it('returns an empty subject when there is none', async () => {
    expect((await parse('From: a@b.example', '', 'x')).subject).toBe('');
  });
});

describe('parseMime of a date', () => {
  it.each([
    ['Fri, 21 Nov 1997 09:55:06 -0600', Date.UTC(1997, 10, 21, 15, 55, 6)],
    ['21 Nov 97 09:55 GMT', Date.UTC(1997, 10, 21, 9, 55)],
    ['Thu, 13 Feb 1969 23:32 -0330 (Newfoundland)', null],
    ['Sat, 21 Nov 2026 10:00:00 +0100 (CET)', Date.UTC(2026, 10, 21, 9)],
    ['21 Nov 2026 10:00:00 EST', Date.UTC(2026, 10, 21, 15)],
    ['2026-11-21T10:00:00Z', Date.UTC(2026, 10, 21, 10)],
    ['yesterday', null],
    ['', null],
  ])('of %j is %s', async (value, date) => {
    expect((await parse(`Date: ${value}`, '', '')).date).toBe(date);
  });
});

describe('parseMime of parts', () => {
  const mixed = (...parts: string[][]) => [
    'Content-Type: multipart/mixed; boundary=x',
    '',
    ...parts.flatMap((part) => ['--x', ...part]),
    '--x--',
  ];

  it.each(['<a@b.test>%e2%80%ae\t€', '\0\0\0', '\xe9ssage/delivery-status', 'image', 'a/b/c'])(
    'calls a file application/octet-stream when its media type is %j',
    async (type) => {
      const { attachments } = await parse(
        ...mixed(['', 'see below'], [`Content-Type: ${type}`, 'Content-Disposition: attachment', '', 'x']),
      );
      expect(attachments.map(({ contentType }) => contentType)).toEqual(['application/octet-stream']);
    },
  );

  it('returns a nested message as an attachment', async () => {
    const { text, attachments } = await parse(
      ...mixed(['', 'see below'], ['Content-Type: message/rfc822', '', 'Subject: inner', '', 'inner text']),
    );
    expect(text).toBe('see below');
    expect(
      attachments.map(({ filename, contentType, content }) => [
        filename,
        contentType,
        `${Buffer.from(content)}`,
      ]),
    ).toEqual([['message.eml', 'message/rfc822', 'Subject: inner\r\n\r\ninner text']]);
  });

  it.each([
    ['winmail.dat', 'application/ms-tnef'],
    ['smime.p7s', 'application/pkcs7-signature'],
    ['encrypted.asc', 'application/octet-stream'],
  ])('returns %s as an attachment', async (name, type) => {
    const { attachments } = await parse(
      ...mixed([`Content-Type: ${type}; name=${name}`, 'Content-Transfer-Encoding: base64', '', 'AAEC']),
    );
    expect(
      attachments.map(({ filename, contentType, content }) => [filename, contentType, [...content]]),
    ).toEqual([[name, type, [0, 1, 2]]]);
  });

  it('marks an image as related only when the html refers to it', async () => {
    const image = (cid: string) => ['Content-Type: image/png', `Content-ID: <${cid}>`, '', 'x'];
    const { attachments } = await parse(
      ...mixed(['Content-Type: text/html', '', '<img src="cid:a%40b">'], image('a@b'), image('c@d')),
    );
    expect(attachments.map(({ cid, relatedToHtml }) => [cid, relatedToHtml])).toEqual([
      ['a@b', true],
      ['c@d', false],
    ]);
  });

  it.each([
    ['"../../etc/passwd"', 'passwd'],
    ['"C:\\\\tmp\\\\a.txt"', 'a.txt'],
    ['=?utf-8?q?=C3=A4.txt?=', 'ä.txt'],
    ['"C:\\TEMP\\name.png"', 'name.png'],
    ['C:\\TEMP\\name.png', 'name.png'],
    ['"\\\\server\\share\\new list.csv"', 'new list.csv'],
    ['"/tmp/x/name.png"', 'name.png'],
    ["x; filename*=UTF-8''C%3A%5CTEMP%5C%C3%A4.pdf", 'ä.pdf'],
    ['"..\\..\\.."', null],
    ['"say \\"hi\\".txt"', 'say "hi".txt'],
    ['""', null],
  ])('returns filename %s as %s', async (filename, expected) => {
    const { attachments } = await parse(
      ...mixed([
        'Content-Type: application/pdf',
        `Content-Disposition: attachment; filename=${filename}`,
        '',
        'x',
      ]),
    );
    expect(attachments[0]?.filename).toBe(expected);
  });
});

describe('parseMime of html with a text below it', () => {
  const footer = 'plans mailing list\nplans@lists.a.example';
  const html = '<p>Yes.</p><blockquote type="cite"><ul><li>Tuesday?</li><li>Noon?</li></ul></blockquote>';
  const htmlPart = ['--b', 'Content-Type: text/html', '', html];
  const textPart = (text: string) => ['--b', 'Content-Type: text/plain', '', text];
  const parseParts = (type: string, ...parts: string[]) =>
    parseMime(Buffer.from([`Content-Type: ${type}; boundary=b`, '', ...parts, '--b--', ''].join('\n')));

  it('returns no text of its own for html, so that quotes and lists keep their marks', async () => {
    const message = await parseParts('multipart/mixed', ...htmlPart, ...textPart(footer));
    expect(message.text).toBeNull();
    expect(textOfHtml(message.html ?? '')).toBe(`Yes.\n\n> - Tuesday?\n> - Noon?\n\n${footer}`);
    expect(strip(message).strippedText).toContain('Yes.');
    expect(strip(message).strippedText).not.toContain('Noon');
  });

  it('returns the text when it is an alternative of the html, or above it', async () => {
    expect((await parseParts('multipart/alternative', ...htmlPart, ...textPart('Yes.'))).text).toBe('Yes.');
    expect((await parseParts('multipart/mixed', ...textPart('See below.'), ...htmlPart)).text).toContain(
      'See below.',
    );
  });

  it('returns the text when the html is cut', async () => {
    const long = ['--b', 'Content-Type: text/html', '', 'x '.repeat(600_000)];
    expect((await parseParts('multipart/mixed', ...long, ...textPart(footer))).text).not.toBeNull();
  });
});

describe('parseMime of broken structure', () => {
  it('uses the boundary in the body when another is declared', async () => {
    const { text, attachments, problems } = await parse(
      'Content-Type: multipart/mixed; boundary=declared',
      '',
      'preamble',
      '--used',
      'Content-Type: text/plain',
      '',
      'body',
      '--used',
      'Content-Type: application/pdf',
      '',
      'x',
      '--used--',
    );
    expect([text, attachments.length, problems]).toEqual([
      'body',
      1,
      ['the parts are not delimited as declared'],
    ]);
  });

  it('returns the parts when a folded boundary is not indented', async () => {
    const type = (boundary: string) => ['Content-Type: multipart/mixed;', `boundary="${boundary}"`, ''];
    const inner = ['--a', ...type('b'), '--b', 'Content-Type: text/plain', '', 'Words', '--b--', '--a--'];
    for (const outer of [type('a'), ['Content-Type: multipart/mixed; boundary=a', '']]) {
      const raw = ['From: ann@a.example', ...outer, ...inner, ''].join('\r\n');
      const { text, attachments } = await parseMime(Buffer.from(raw));
      expect([text, attachments]).toEqual(['Words', []]);
    }
  });

  it('returns the body as text when there is no boundary', async () => {
    const { text, problems } = await parse('Content-Type: multipart/mixed', '', 'just text');
    expect([text, problems]).toEqual(['just text', ['the parts are not delimited as declared']]);
  });

  it('returns the body when no blank line precedes it', async () => {
    const { subject, text } = await parse('Subject: short', 'Hello there,', 'this is all.');
    expect([subject, text]).toEqual(['short', 'Hello there,\nthis is all.']);
  });

  it('returns the parts when the closing delimiter is missing', async () => {
    expect((await parse('Content-Type: multipart/mixed; boundary=x', '', '--x', '', 'body')).text).toBe(
      'body',
    );
  });

  it.each([100, 1000])('returns a message when parts are nested %i levels deep', async (levels) => {
    const opening = Array.from({ length: levels }, (_, level) => [
      `Content-Type: multipart/mixed; boundary=b${level}`,
      '',
      `--b${level}`,
    ]);
    const { subject, text } = await parse(
      'Subject: deep',
      ...opening.flat(),
      'Content-Type: text/plain',
      '',
      'bottom',
    );
    expect(subject).toBe('deep');
    expect(text).toContain('bottom');
  });

  it('skips an mbox line, a byte order mark or blank lines before the header', async () => {
    for (const lead of ['From a@b Sat Nov 21 2026\r\n', '>From a@b\r\n', '\ufeff', '\r\n\r\n']) {
      const { subject, from, text } = await parse(`${lead}From: a@b.example`, 'Subject: here', '', 'text');
      expect([subject, from?.address, text]).toEqual(['here', 'a@b.example', 'text']);
    }
  });

  it.each(['\n', '\r'])('returns the same when lines end in %j', async (lineEnd) => {
    const lines = [
      'Subject: a',
      ' b',
      'Content-Type: multipart/mixed; boundary=x',
      '',
      '--x',
      '',
      'one',
      'two',
      '--x--',
      '',
    ];
    const { subject, text } = await parseMime(Buffer.from(lines.join(lineEnd)));
    expect([subject, text]).toEqual(['a b', 'one\ntwo']);
  });

  it.each([[''], ['\r\n'], ['no header at all'], [':'], ['\0']])(
    'returns a message when the input is %j',
    async (raw) => {
      expect((await parseMime(Buffer.from(raw))).from).toBeNull();
    },
  );

  it('uses the first of repeated single fields and all of repeated recipient fields', async () => {
    const parsed = await parse(
      'From: a@b.example',
      'From: evil@b.example',
      'Subject: 1',
      'Subject: 2',
      'To: c@d.example',
      'To: e@f.example',
      '',
      '',
    );
    expect([parsed.from?.address, parsed.subject, parsed.to.length]).toEqual(['a@b.example', '1', 2]);
  });
});

describe('parseMime of oversized structure', () => {
  it('returns text when there are too many parts', async () => {
    const { text, problems } = await parse(
      'Content-Type: multipart/mixed; boundary=x',
      '',
      '--x\r\n\r\na\r\n'.repeat(30_000),
    );
    expect(text?.length).toBeGreaterThan(100_000);
    expect(problems).toEqual(['the message has too many parts']);
  });

  it('keeps a thousand fields when there are more', async () => {
    const { headers, text } = await parse(...Array.from({ length: 50_000 }, () => 'X: y'), '', 'body');
    expect([headers.length, text]).toEqual([1000, 'body']);
  });
});

describe('parseMime of any bytes', () => {
  it('never throws', async () => {
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ maxLength: 2000 }), async (bytes) => {
        expect(Array.isArray((await parseMime(bytes)).headers)).toBe(true);
      }),
    );
  });

  it('never throws and returns no control characters when the input resembles mail', async () => {
    const piece = fc.oneof(
      fc.constantFrom(
        'From:',
        'To: <',
        'Subject: =?utf-8?q?',
        '?=',
        '\r\n',
        '\n',
        '\r',
        '\r\n\r\n',
        '--x',
        '--',
        ' ',
        ';',
        '"',
        '=',
        '=E4',
        '\x1b$B',
        '+AOQ-',
      ),
      fc.constantFrom(
        'Content-Type: multipart/mixed; boundary=x',
        'Content-Type: text/html; charset=',
        'utf-7',
        'utf-8',
        'gb2312',
      ),
      fc.constantFrom(
        'Content-Transfer-Encoding: base64',
        'Content-Transfer-Encoding: quoted-printable',
        'begin 644 a\n',
      ),
      fc.uint8Array({ maxLength: 20 }).map((bytes) => Buffer.from(bytes).toString('latin1')),
    );
    await fc.assert(
      fc.asyncProperty(
        fc.array(piece, { maxLength: 60 }),
        fc.constantFrom('latin1' as const, 'utf8' as const),
        async (pieces, encoding) => {
          const { subject, from } = await parseMime(Buffer.from(pieces.join(''), encoding));
          expect(`${subject}${from?.name}${from?.address}`).not.toMatch(/\p{Cc}/u);
        },
      ),
      { numRuns: 300 },
    );
  });
});

describe('parseMime is linear', () => {
  it.each([
    ['recipients', (count: number) => `To: ${'Ann <ann@example.com>, '.repeat(count)}\r\n\r\nx`],
    ['folded lines', (count: number) => `Subject: a${'\r\n word'.repeat(count)}\r\n\r\nx`],
    ['one header line', (count: number) => `X-Long: ${'x'.repeat(count * 20)}\r\n\r\nx`],
    ['encoded words', (count: number) => `Subject: ${'=?utf-8?q?=C3=A4?= '.repeat(count)}\r\n\r\nx`],
    ['references', (count: number) => `References: ${'<a@b.example> <'.repeat(count)}\r\n\r\nx`],
    [
      'parts',
      (count: number) =>
        `Content-Type: multipart/mixed; boundary=x\r\n\r\n${'--x\r\n\r\na\r\n'.repeat(count)}`,
    ],
    ['bytes that are not UTF-8', (count: number) => `Subject: a\r\n\r\n${'\xe4\xfc '.repeat(count * 10)}`],
    ['open brackets', (count: number) => `From: ${'<'.repeat(count * 5)}\r\n\r\nx`],
    ['quotes', (count: number) => `From: ${'"('.repeat(count * 5)}\r\n\r\nx`],
    [
      'shifts',
      (count: number) => `Content-Type: text/plain; charset=utf-7\r\n\r\n${'+AOQ'.repeat(count * 5)}`,
    ],
  ])('when the message has %s', async (_, make) => {
    await expectLinear((size) => Buffer.from(make(size), 'latin1'), parseMime, 700);
  });
});
