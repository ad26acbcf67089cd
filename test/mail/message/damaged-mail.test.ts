/** Messages of faulty programs: no word is lost, no MIME is shown, and files stay files. */
import { describe, expect, it } from 'vitest';
import { parseMime } from '../../../lib/mail/message/parse-mime.ts';
import { expectLinear } from '../../support/growth.ts';

const head = ['From: ann@a.example', 'Subject: Hi', 'MIME-Version: 1.0'];
const read = async (...lines: string[]) => {
  const { subject, text, html, attachments } = await parseMime(Buffer.from([...head, ...lines].join('\n')));
  const files = attachments.map(({ filename, contentType, content }) =>
    [filename, contentType, Buffer.from(content).toString('latin1')].join(' '),
  );
  return { subject, text, html, files };
};
const textOf = async (...lines: string[]) => (await read(...lines)).text;
const base64 = (text: string) => Buffer.from(text).toString('base64');
const mixed = 'Content-Type: multipart/mixed; boundary=b';

describe('parseMime of a type that is no type', () => {
  it.each([
    'text',
    'plain',
    'text/',
    'TEXT; charset=utf-8',
    'text/plain charset=utf-8',
    '"text/plain"; charset=utf-8',
    String.raw`text\plain`,
    'charset=utf-8',
    'something else',
  ])('reads %j as plain text (RFC 2045 5.2)', async (type) => {
    expect(await read(`Content-Type: ${type}`, '', 'Grüße & <Küsse>')).toMatchObject({
      text: 'Grüße & <Küsse>',
      html: null,
      files: [],
    });
  });

  it.each(['html', 'text/html charset=utf-8', 'page'])('reads a page as html when it is %j', async (type) => {
    const page = '<html><body>Hi</body></html>';
    expect(await read(`Content-Type: ${type}`, '', page)).toMatchObject({ text: null, html: page });
  });

  it.each(['image', 'application', 'picture', ''])('keeps bytes as a file when it is %j', async (type) => {
    const bytes = Buffer.from(Array.from({ length: 100 }, (_, at) => (at * 37) & 0xff));
    const found = await read(
      `Content-Type: ${type}`,
      'Content-Transfer-Encoding: base64',
      '',
      bytes.toString('base64'),
    );
    expect(found).toMatchObject({
      text: null,
      files: [` application/octet-stream ${bytes.toString('latin1')}`],
    });
  });
});

describe('parseMime of an unknown kind of text', () => {
  it.each([
    ['text/x-markdown', '# Hi', '# Hi'],
    ['text/x-moz-note; charset=utf-8', 'Grüße', 'Grüße'],
    ['text/enriched', '<bold>Hi</bold> <<there', 'Hi <there'],
  ])('reads %s (RFC 2046 4.1.4), and keeps it as a file', async (type, body, text) => {
    const found = await read(`Content-Type: ${type}`, '', body);
    expect([found.text, found.files.length]).toEqual([text, 1]);
  });

  it.each(['calendar', 'csv', 'vcard', 'x-vcard', 'rfc822-headers', 'xml'])(
    'leaves text/%s a file',
    async (subtype) => {
      const found = await read(`Content-Type: text/${subtype}`, '', 'a,b');
      expect(found).toMatchObject({ text: null, files: [` text/${subtype} a,b`] });
    },
  );

  it('leaves a named one a file', async () => {
    const found = await read('Content-Type: text/x-log; name=a.log', '', 'log');
    expect(found).toMatchObject({ text: null, files: ['a.log text/x-log log'] });
  });

  it.each([
    ['before', ['text/x-amp-html', 'text/html']],
    ['after', ['text/html', 'text/x-amp-html']],
  ])('leaves it a file when it stands %s html of the same alternative', async (_where, types) => {
    const parts = types.flatMap((type) => ['--b', `Content-Type: ${type}`, '', `<p>${type}</p>`]);
    const found = await read('Content-Type: multipart/alternative; boundary=b', '', ...parts, '--b--');
    expect(found).toMatchObject({
      text: null,
      html: '<p>text/html</p>',
      files: [' text/x-amp-html <p>text/x-amp-html</p>'],
    });
  });
});

describe('parseMime of a header whose end is damaged', () => {
  it.each([
    ['a line of blanks', [' \t', 'Hello Bob,', '', 'bye']],
    ['a line of blanks and an empty one', [' ', '', 'Hello Bob,', '', 'bye']],
    ['nothing', ['Hello Bob,', '', 'bye']],
  ])('returns all words when %s separates it', async (_what, lines) => {
    expect(await read('X-Last: 1', ...lines)).toMatchObject({ subject: 'Hi', text: 'Hello Bob,\n\nbye' });
    const part = await read(mixed, '', '--b', 'Content-Type: text/plain', ...lines, '--b--');
    expect(part.text).toBe('Hello Bob,\n\nbye');
  });

  it.each([
    ['a sentence like a field', ['Note: call me', '', 'bye']],
    ['the header of a quoted message', ['From: Carl <c@c.example>', 'Subject: old', '', 'bye']],
    ['an indented line', ['   Hello', '', 'bye']],
  ])('returns %s below a line of blanks', async (_what, lines) => {
    expect(await textOf(' ', ...lines)).toBe(lines.join('\n'));
  });

  it('goes on when a line of blanks is part of a folded field', async () => {
    const { to, text } = await parseMime(
      Buffer.from('From: a@a.example\nTo: b@b.example,\n \n c@c.example\nSubject: Hi\n\nHello'),
    );
    expect([to.map(({ address }) => address), text]).toEqual([['b@b.example', 'c@c.example'], 'Hello']);
    expect(await read(' ', 'Content-Type: text/html', '', '<p>Hi')).toMatchObject({ html: '<p>Hi' });
  });

  it('reads MIME fields below the blank line when the header lacks them', async () => {
    const fields = ['Content-Type: text/html', '', 'Content-Transfer-Encoding: base64', '', base64('<p>Hi')];
    expect(await read(...fields)).toMatchObject({ html: '<p>Hi', text: null });
    expect(await read(mixed, '', '--b', '', ...fields, '--b--')).toMatchObject({ html: '<p>Hi' });
  });

  it('keeps a body that speaks of a field the header has', async () => {
    const body = 'Content-Type: text/html is what I asked for.';
    expect(await textOf('Content-Type: text/plain', '', body)).toBe(body);
  });

  it.each([
    ['From ann Mon Jan 1'],
    ['>From ann Mon Jan 1'],
    ['\ufeff'],
    ['', ' ', ''],
    ['220 ready', 'HELO x'],
  ])('skips %j before it', async (...garbage) => {
    const { subject, text } = await parseMime(Buffer.from([...garbage, ...head, '', 'Hello'].join('\n')));
    expect([subject, text]).toEqual(['Hi', 'Hello']);
  });

  it('takes time in proportion when every line may be its end', async () => {
    await expectLinear(
      (size) => Buffer.from(`X: 1\n${' \n a\nstray\nTo: b\nX-A: c\nNote: d\n'.repeat(size)}`),
      parseMime,
      5000,
    );
  });
});
