import { describe, expect, it } from 'vitest';
import { parseMime } from '../../../lib/mail/message/parse-mime.ts';
import { textCharset } from '../../../lib/mail/text/charsets.ts';

const parseLatin1 = (...lines: string[]) => parseMime(Buffer.from(lines.join('\r\n'), 'latin1'));
/** UTF-8 bytes, one a character. */
const utf8 = (text: string): string => Buffer.from(text).toString('latin1');

describe('textCharset', () => {
  it.each([
    ['the declared charset', 'Gr\xfc\xdfe', 'iso-8859-1', 'iso-8859-1'],
    ['UTF-8 when nothing is declared', utf8('Grüße'), null, 'utf-8'],
    ['UTF-8 when the label is unknown', utf8('Grüße'), 'x-own-charset', 'utf-8'],
    ['UTF-8 when the label says ASCII', utf8('Grüße'), 'us-ascii', 'utf-8'],
    ['UTF-8 when one byte of few is broken', `${utf8('Grün')} \xff`, 'utf-8', 'utf-8'],
    ['the fallback when the text is not UTF-8', 'Gr\xfc\xdfe', 'utf-8', 'windows-1250'],
    ['the fallback when nothing is declared', 'Gr\xfc\xdfe', null, 'windows-1250'],
    ['ISO-2022-JP when ASCII has its escapes', '\x1b$B$3$s\x1b(B', 'us-ascii', 'iso-2022-jp'],
    [
      'Shift_JIS when text is not the ISO-2022-JP it declares',
      '\x82\xb1\x82\xf1',
      'iso-2022-jp',
      'shift_jis',
    ],
    ['an alias that the MIME parser knows', '\x82\xb1\x82\xf1', 'cp932', 'cp932'],
  ])('returns %s', (_what, bytes, label, expected) => {
    expect(textCharset(Buffer.from(bytes, 'latin1'), label, 'windows-1250')).toBe(expected);
  });
});

describe('parseMime decodes each part in its charset', () => {
  const part = (type: string, content: string) => ['--b', `Content-Type: ${type}`, '', content];
  const mixed = ['Content-Type: multipart/mixed; boundary=b', ''];

  it('when parts declare different ones', async () => {
    const { text } = await parseLatin1(
      ...mixed,
      ...part('text/plain; charset=iso-8859-1', 'Gr\xfc\xdfe'),
      ...part('text/plain; charset=utf-8', utf8('Привет')),
      ...part('text/plain; charset=koi8-r', '\xf0\xd2\xc9\xd7\xc5\xd4'),
      '--b--',
    );
    expect(text?.split(/\n+/)).toEqual(['Grüße', 'Привет', 'Привет']);
  });

  it('when one of them is mislabelled', async () => {
    const { text } = await parseLatin1(
      ...mixed,
      ...part('text/plain; charset=utf-8', 'Gr\xfc\xdfe aus K\xf6ln'),
      ...part('text/plain; charset=utf-8', utf8('Grüße aus Köln')),
      ...part('text/plain; charset=iso-8859-2', '\xb1\xe6\xea'),
      '--b--',
    );
    // The first legacy charset of the message is the guess for text without a valid declaration.
    expect(text?.split(/\n+/)).toEqual(['Grüße aus Köln', 'Grüße aus Köln', 'ąćę']);
  });

  it('when one is UTF-7', async () => {
    const { text } = await parseLatin1(
      ...mixed,
      ...part('text/plain; charset=utf-7', '1 +- 1 +AOQ-'),
      ...part('text/plain; charset=us-ascii', '1 +AOQ-'),
      '--b--',
    );
    expect(text?.split(/\n+/)).toEqual(['1 + 1 ä', '1 +AOQ-']);
  });

  it('by the meta element when an html part declares none', async () => {
    const { html } = await parseLatin1(
      'Content-Type: text/html',
      '',
      '<meta charset="koi8-r"><p>\xf0\xd2\xc9</p>',
    );
    expect(html).toContain('При');
  });

  it.each([
    ['=?x-unknown?q?Gr=C3=BC=C3=9Fe?=', 'Grüße'],
    ['=?us-ascii?b?R3LDvMOfZQ==?=', 'Grüße'],
    ['=?iso-8859-1?q?Gr=FC=DFe?=', 'Grüße'],
  ])('also in the header: %s', async (value, subject) => {
    expect((await parseLatin1(`Subject: ${value}`, '', '')).subject).toBe(subject);
  });

  it('also where a subject in UTF-8 has a broken byte', async () => {
    expect((await parseLatin1(`Subject: ${utf8('Grüße aus Köln')} \xff`, '', '')).subject).toBe(
      'Grüße aus Köln \ufffd',
    );
  });

  it.each(['cp932', 'x-sjis', 'ms_kanji', 'windows-31j'])(
    'by the alias %s, which the parser resolves',
    async (label) => {
      const { text } = await parseLatin1(
        `Content-Type: text/plain; charset=${label}`,
        '',
        '\x82\xb1\x82\xf1',
      );
      expect(text).toBe('こん');
    },
  );

  it.each([
    ['iso-8859-8-i', '\xf9\xec\xe5\xed', 'שלום'],
    ['ks_c_5601-1987', '\xbe\xc8\xb3\xe7', '안녕'],
    ['cp949', '\xbe\xc8\xb3\xe7', '안녕'],
    ['cp936', '\xc4\xe3\xba\xc3', '你好'],
    ['tis-620', '\xca\xc7\xd1\xca', 'สวัส'],
    ['unicode-1-1-utf-8', utf8('Grüße'), 'Grüße'],
    ['x-euc-jp', '\xa4\xb3\xa4\xf3', 'こん'],
  ])('by the label %s', async (label, bytes, expected) => {
    const { text } = await parseLatin1(`Content-Type: text/plain; charset=${label}`, '', bytes);
    expect(text).toBe(expected);
  });
});

describe('parseMime of lines that end in CR', () => {
  const lines = ['From: ann@a.example', 'Subject: x', '', 'one', 'two'];

  it.each([
    ['CR alone', lines.join('\r')],
    ['CR after trace fields that end in CRLF', `Received: a\r\n\tby b\r\n${lines.join('\r')}\r\n`],
    ['CR after trace fields that end in LF', `Received: a\nX-Trace: b\n${lines.join('\r')}`],
  ])('reads the message when they are %s', async (_what, raw) => {
    const { from, subject, text } = await parseMime(Buffer.from(raw));
    expect([from?.address, subject, text]).toEqual(['ann@a.example', 'x', 'one\ntwo']);
  });

  it('adds no field when a CR is inside a value', async () => {
    const raw = 'X-A: b\rFrom: eve@evil.example\r\nFrom: ann@a.example\r\n\r\ntext';
    expect((await parseMime(Buffer.from(raw))).from?.address).toBe('ann@a.example');
  });
});
