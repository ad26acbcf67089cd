import { describe, expect, it } from 'vitest';
import { textOfHtml } from '../../../lib/mail/html/html-text.ts';
import { rewriteParts } from '../../../lib/mail/message/mime-structure.ts';
import { parseMime } from '../../../lib/mail/message/parse-mime.ts';
import { receivedTextBudget } from '../../../lib/mail/text/text-limits.ts';

const rewritten = (...lines: string[]) =>
  rewriteParts(Buffer.from(lines.join('\n'), 'latin1'), {
    textBudget: receivedTextBudget,
    fallbackCharset: 'windows-1252',
  })
    .source.toString('latin1')
    .split('\n');
const parse = (...lines: string[]) => parseMime(Buffer.from(lines.join('\r\n')));
const flowed = 'Content-Type: text/plain; charset=utf-8; format=flowed';

describe('rewriteParts', () => {
  it('keeps parts with their content fields and drops preambles and epilogues', () => {
    expect(
      rewritten(
        'Subject: x',
        'Content-Type: multipart/mixed;',
        ' boundary="a b" (comment)',
        '',
        'preamble',
        '--a b',
        'X-Trace: 1',
        'Content-Type: text/plain',
        '',
        'body',
        '--a c',
        '--a b--',
        'epilogue',
      ),
    ).toEqual([
      'Content-Type: multipart/mixed; boundary="a b"',
      '',
      '',
      '--a b',
      'Content-Type: text/plain; charset=utf-8',
      'Content-Transfer-Encoding: base64',
      '',
      Buffer.from('body\n--a c\n').toString('base64'),
      '',
      '--a b--',
      '',
    ]);
  });

  it.each([
    ['a token', 'boundary=b', '--b'],
    ['a token with a comment', 'boundary=b (of parts)', '--b'],
    ['quoted characters', String.raw`boundary="b\"c"`, '--b"c'],
    ['sections', 'boundary*0=b; boundary*1="c d"', '--bc d'],
    ['another parameter first', 'type="text/html"; BOUNDARY="b"', '--b'],
  ])('finds the boundary when it is given as %s', async (_what, parameter, line) => {
    const { text } = await parse(
      `Content-Type: multipart/mixed; ${parameter}`,
      '',
      line,
      '',
      'body',
      `${line}--`,
    );
    expect(text).toBe('body');
  });

  it('ends inner parts when an outer delimiter follows', async () => {
    const { text, html } = await parse(
      'Content-Type: multipart/mixed; boundary=outer',
      '',
      '--outer',
      'Content-Type: multipart/alternative; boundary=inner',
      '',
      '--inner',
      'Content-Type: text/html',
      '',
      '<p>one</p>',
      '--outer',
      '',
      '--inner',
      'two',
      '--outer--',
      'three',
    );
    expect(html).toContain('one');
    expect(textOfHtml(html ?? '')).toContain('--inner\ntwo');
    expect(text ?? html).not.toContain('three');
  });
});

describe('parseMime of flowed parts', () => {
  it('joins lines of the same quote depth only', async () => {
    const { text } = await parse(flowed, '', 'On Monday, Ann wrote:', '> Hi ', 'Hello, ', 'Ann');
    expect(text).toBe('On Monday, Ann wrote:\n> Hi \nHello, Ann');
  });

  it.each([
    ['quoted-printable', 'Gr=C3=BC=C3=9Fe=20\r\nan=\r\n alle'],
    ['base64', Buffer.from('Grüße \r\nan alle').toString('base64')],
    ['8bit', 'Grüße \r\nan alle'],
  ])('unflows when the encoding is %s', async (encoding, body) => {
    const { text, problems } = await parse(flowed, `Content-Transfer-Encoding: ${encoding}`, '', body);
    expect([text, problems]).toEqual(['Grüße an alle', []]);
  });

  it('keeps the lines of other parts', async () => {
    const { text } = await parse(
      'Content-Type: multipart/mixed; boundary=b',
      '',
      '--b',
      `${flowed}; delsp=yes`,
      '',
      'flo \r\nwed',
      '--b',
      'Content-Type: text/plain',
      '',
      'fixed ',
      'lines',
      '--b--',
    );
    expect(text).toBe('flowed\n\nfixed \nlines');
  });
});

describe('parseMime of very many lines', () => {
  const multipart = 'Content-Type: multipart/mixed; boundary=b\n\n';
  const floods: [string, string, string][] = [
    ['empty lines', '\n', '\n'],
    ['lines of one letter', 'Subject: x\n\n', 'a\n'],
    ['lines in a part', `${multipart}--b\n\n`, '-\n'],
    ['lines before the first part', multipart, 'a\n'],
    ['quoted-printable lines', 'Content-Transfer-Encoding: quoted-printable\n\n', 'a\n'],
    ['padded lines of base64', 'Content-Transfer-Encoding: base64\n\n', 'YQ==\n'],
    ['padded units of base64', 'Content-Transfer-Encoding: base64\n\n', 'YQ=='],
    ['flowed lines', `${flowed}\n\n`, '> \n'],
    ['continuations', 'Content-Type: text/plain\n', ' a\n'],
    ['fields of a part', `${multipart}--b\n`, 'Content-Type: text/plain\n'],
  ];

  it.each(floods)('returns the content when the body is made of %s', async (_what, lead, unit) => {
    const { problems } = await parseMime(Buffer.from(lead + unit.repeat(1100)));
    expect(problems.filter((problem) => /too|Maximum/.test(problem))).toEqual([]);
  });

  it('returns the same content as with few lines', async () => {
    for (const [encoding, body] of [
      ['7bit', 'a=b\r\r\n'],
      ['quoted-printable', 'a=3Db=\r\n\r\n'],
      ['base64', 'YT1iCg==\r\n'],
    ]) {
      const { text } = await parse(`Content-Transfer-Encoding: ${encoding}`, '', `${body}`.repeat(2000));
      expect(text).toBe('a=b\n'.repeat(2000).trimEnd());
    }
  });

  it.each(floods)('is linear when the body is made of %s', async (_what, lead, unit) => {
    const cost = async (count: number) => {
      const raw = Buffer.from(lead + unit.repeat(count));
      const before = process.threadCpuUsage();
      await parseMime(raw);
      const { user, system } = process.threadCpuUsage(before);
      return (user + system) / 1000;
    };
    await cost(10_000);
    const [less, more] = [await cost(50_000), await cost(200_000)];
    // Four times the lines; under 0.1 s the measurement is noise.
    expect(more).toBeLessThan(Math.max(less, 25) * 12);
  });
});
