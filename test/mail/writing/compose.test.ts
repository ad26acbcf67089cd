import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseMime } from '../../../lib/mail/message/parse-mime.ts';
import { composeMessage, type OutgoingMessage } from '../../../lib/mail/writing/compose.ts';

const base: OutgoingMessage = {
  from: { name: 'Acme Support', address: 'support@acme.dev' },
  to: [{ name: null, address: 'jo@example.com' }],
  cc: [],
  replyTo: [],
  subject: 'Hello',
  html: null,
  text: 'Hi Jo',
  messageId: '<eml_0123456789abcdef0123456789abcdef@acme.dev>',
  inReplyTo: null,
  references: [],
  date: Date.UTC(2026, 10, 21, 8, 30),
  headers: [],
  attachments: [],
};
const pixel = Buffer.from('R0lGODlhAQABAAAAACwAAAAAAQABAAA=', 'base64');

async function compose(change: Partial<OutgoingMessage> = {}): Promise<string> {
  return (await composeMessage({ ...base, ...change })).toString('latin1');
}

/** Requirements of strict parsers: 7-bit, CRLF only, short lines, no blank line in a folded header. */
function expectStrict(raw: string): void {
  expect(raw).toMatch(/^[\x20-\x7e\t\r\n]*$/);
  expect(raw.replaceAll('\r\n', '')).not.toMatch(/[\r\n]/);
  for (const line of raw.split('\r\n')) expect(line.length).toBeLessThanOrEqual(998);
  const [header = ''] = raw.split('\r\n\r\n');
  for (const line of header.split('\r\n')) expect(line).toMatch(/^(?:[\x21-\x39\x3b-\x7e]+:|[ \t].*\S)/);
}

function headerOf(raw: string): string {
  return raw.slice(0, raw.indexOf('\r\n\r\n'));
}

describe('composeMessage', () => {
  it('is deterministic', async () => {
    const change = {
      html: '<p>Hi</p>',
      attachments: [{ filename: 'a.txt', contentType: 'text/plain', content: Buffer.from('a'), cid: null }],
    };
    expect(await compose(change)).toBe(await compose(change));
  });

  it('writes a single text part when there is only text', async () => {
    expect(await compose()).toBe(
      [
        'Subject: Hello',
        'From: Acme Support <support@acme.dev>',
        'To: jo@example.com',
        'Message-ID: <eml_0123456789abcdef0123456789abcdef@acme.dev>',
        'Date: Sat, 21 Nov 2026 08:30:00 +0000',
        'Content-Transfer-Encoding: 7bit',
        'MIME-Version: 1.0',
        'Content-Type: text/plain; charset=utf-8',
        '',
        'Hi Jo',
        '',
      ].join('\r\n'),
    );
  });

  it('puts inline images into related and files into mixed', async () => {
    const raw = await compose({
      html: '<p>Hi <img src="cid:logo@acme.dev"></p>',
      attachments: [
        { filename: 'logo.gif', contentType: 'image/gif', content: pixel, cid: 'logo@acme.dev' },
        { filename: 'hidden.gif', contentType: 'image/gif', content: pixel, cid: 'unused@acme.dev' },
        { filename: 'plan.pdf', contentType: 'application/pdf', content: Buffer.from('%PDF'), cid: null },
      ],
    });
    expectStrict(raw);
    expect(raw.match(/^Content-Type: [^;\r]+/gm)).toEqual([
      'Content-Type: multipart/mixed',
      'Content-Type: multipart/alternative',
      'Content-Type: text/plain',
      'Content-Type: multipart/related',
      'Content-Type: text/html',
      'Content-Type: image/gif',
      'Content-Type: image/gif',
      'Content-Type: application/pdf',
    ]);
    const { attachments } = await parseMime(Buffer.from(raw, 'latin1'));
    expect(
      attachments.map(({ filename, disposition, cid, relatedToHtml }) => [
        filename,
        disposition,
        cid,
        relatedToHtml,
      ]),
    ).toEqual([
      ['logo.gif', 'inline', 'logo@acme.dev', true],
      ['hidden.gif', 'attachment', 'unused@acme.dev', false],
      ['plan.pdf', 'attachment', null, false],
    ]);
  });

  it('leaves out Bcc and structural headers', async () => {
    const raw = await compose({
      headers: ['Bcc', 'bcc', 'From', 'Content-Type', 'DKIM-Signature', 'Bad Name', 'X:Y', 'X\r\nBcc'].map(
        (name) => ({
          name,
          value: 'evil@example.com',
        }),
      ),
    });
    expect(raw).not.toContain('evil@example.com');
  });

  it('does not name software', async () => {
    expect(await compose()).not.toMatch(/x-mailer|user-agent|nodemailer/i);
  });

  it.each([
    ['8000 characters of words', 'word '.repeat(1600).trim()],
    ['8000 characters without white space', 'x'.repeat(8000)],
    ['a long run of blanks', `a${' '.repeat(3000)}b`],
    ['letters of many scripts', 'Übergrößenträger 日本語 '.repeat(300).trim()],
    ['quotes and brackets', '"Acme news" <news.acme.dev>'],
    ['what looks encoded', 'a =?utf-8?q?b?= c'],
    ['an injected line', 'a\r\nBcc: x@example.com'],
  ])('preserves a header value when it has %s', async (_, value) => {
    const raw = await compose({ headers: [{ name: 'X-Trace-ID', value }] });
    expectStrict(raw);
    expect(headerOf(raw)).not.toMatch(/^bcc:/im);
    const { headers } = await parseMime(Buffer.from(raw, 'latin1'));
    const expected = value.includes('\r') ? 'a Bcc: x@example.com' : value.includes('=?') ? 'a b c' : value;
    expect(headers.find(({ name }) => name === 'X-Trace-ID')?.value).toBe(expected);
  });

  it('writes a header value unchanged when it is printable', async () => {
    expect(await compose({ headers: [{ name: 'List-Id', value: '"Acme news" <news.acme.dev>' }] })).toContain(
      'List-Id: "Acme news" <news.acme.dev>\r\n',
    );
  });

  it('preserves the subject literally when it looks like an encoded word', async () => {
    const subject = 'a =?utf-8?q?b?= c';
    expect((await parseMime(await composeMessage({ ...base, subject }))).subject).toBe(subject);
  });

  it('keeps the first and the last twenty references when the chain is long', async () => {
    const references = Array.from({ length: 50 }, (_, index) => `<${index}@acme.dev>`);
    const raw = await compose({
      references: [...references, '<not an id>', `<${'x'.repeat(2000)}@acme.dev>`],
      inReplyTo: '<49@acme.dev>',
    });
    expectStrict(raw);
    const parsed = await parseMime(Buffer.from(raw, 'latin1'));
    expect(parsed.references).toEqual([references[0], ...references.slice(-20)]);
    expect(parsed.inReplyTo).toEqual(['<49@acme.dev>']);
  });

  it('attaches a message as message/rfc822 when it is 7-bit, else as application/octet-stream', async () => {
    const message = (content: string, contentType = 'message/rfc822') => ({
      filename: 'mail.eml',
      contentType,
      content: Buffer.from(content),
      cid: null,
    });
    const raw = await compose({
      attachments: [
        message('Subject: a\n\nplain\n'),
        message('Subject: b\n\nümlaut\n'),
        message('text', 'multipart/mixed'),
        message('text', 'text/plain\r\nX-Evil: 1'),
      ],
    });
    expectStrict(raw);
    expect(raw).not.toContain('X-Evil');
    const { attachments } = await parseMime(Buffer.from(raw, 'latin1'));
    expect(attachments.map(({ contentType }) => contentType)).toEqual([
      'message/rfc822',
      'application/octet-stream',
      'application/octet-stream',
      'application/octet-stream',
    ]);
  });

  it('writes a valid message when there is neither text nor html', async () => {
    expectStrict(await compose({ text: null, subject: '' }));
  });

  it('writes strict MIME when values have control characters or lone surrogates', async () => {
    const anything = fc
      .array(
        fc.constantFrom('a', ' ', '"', '<', '\r\n', '\n', '\0', '\ud800', 'ä', '日', '=?', '?=', ':', '\t'),
        { maxLength: 200 },
      )
      .map((pieces) => pieces.join(''));
    await fc.assert(
      fc.asyncProperty(anything, async (text) => {
        const raw = await compose({
          from: { name: text, address: 'a@acme.dev' },
          to: [{ name: text, address: 'b@acme.dev' }],
          subject: text,
          text,
          html: text,
          references: [text],
          inReplyTo: text,
          headers: [{ name: 'X-Any', value: text }],
          attachments: [{ filename: text, contentType: text, content: Buffer.from(text), cid: text }],
        });
        expectStrict(raw);
        expect(headerOf(raw).match(/^\S+:/gm)).toEqual(
          expect.arrayContaining(['From:', 'To:', 'Message-ID:', 'Date:', 'Content-Type:']),
        );
      }),
    );
  });

  it('round-trips addresses, subject, bodies and files through two parsers', async () => {
    const name = fc
      .string({ unit: 'grapheme', maxLength: 60 })
      .map((text) => text.replace(/\p{C}|=\?/gu, '').trim() || null);
    const address = fc.tuple(name, fc.stringMatching(/^[a-z0-9+.]{1,20}$/)).map(([someName, local]) => ({
      name: someName,
      address: `${local.replace(/\.+/g, '')}x@example.com`,
    }));
    const line = fc
      .string({ unit: 'grapheme', maxLength: 200 })
      .map((text) => text.replace(/\p{C}|[\u2028\u2029]/gu, ''));
    const text = fc
      .array(line, { minLength: 1, maxLength: 8 })
      .map((lines) => `x${lines.join('\n')}`.trimEnd());
    const attachment = fc.record({
      filename: name.map((someName) => `${(someName ?? '').replace(/[/\\]/g, '')}.bin`.trim()),
      contentType: fc.constantFrom('application/pdf', 'image/png', 'text/csv'),
      content: fc.uint8Array({ maxLength: 300 }).map((bytes) => Buffer.from(bytes)),
      cid: fc.constant(null),
    });
    await fc.assert(
      fc.asyncProperty(
        fc.record({
          from: address,
          to: fc.array(address, { minLength: 1, maxLength: 4 }),
          cc: fc.array(address, { maxLength: 3 }),
          replyTo: fc.array(address, { maxLength: 2 }),
          subject: line.map((someText) => someText.trim()),
          text: fc.option(text),
          html: fc.option(text.map((someText) => `<p>${someText}</p>`)),
          attachments: fc.array(attachment, { maxLength: 3 }),
        }),
        async (given) => {
          const raw = await composeMessage({ ...base, ...given });
          expectStrict(raw.toString('latin1'));
          const {
            from,
            to,
            cc,
            replyTo,
            subject,
            text: read,
            html,
            attachments,
            problems,
          } = await parseMime(raw);
          expect({ from, to, cc, replyTo, subject, text: read, html, problems }).toEqual({
            from: given.from,
            to: given.to,
            cc: given.cc,
            replyTo: given.replyTo,
            subject: given.subject,
            text: given.text,
            html: given.html,
            problems: [],
          });
          expect(attachments.map(({ filename, content }) => [filename, Buffer.from(content)])).toEqual(
            given.attachments.map(({ filename, content }) => [filename, content]),
          );
        },
      ),
      { numRuns: 150 },
    );
  });
});

describe('composeMessage with literal encoded words', () => {
  const literal = '=?utf-8?q?=0D=0ABcc:_eve=40evil.example?=';

  it('encodes them in names, so that readers decode them once', async () => {
    const named = { name: literal, address: 'ann@a.example' };
    const raw = await compose({
      from: named,
      to: [named, { name: 'Bob', address: 'bob@a.example' }],
      cc: [named],
    });
    expectStrict(raw);
    expect(headerOf(raw)).not.toContain(literal);
    const { from, to, cc } = await parseMime(Buffer.from(raw, 'latin1'));
    expect([from?.name, to.map(({ name }) => name), cc.map(({ name }) => name)]).toEqual([
      literal,
      [literal, 'Bob'],
      [literal],
    ]);
  });

  it('encodes a header value when they hide control characters', async () => {
    const raw = await compose({ headers: [{ name: 'X-Note', value: literal }] });
    expect(headerOf(raw)).not.toContain(literal);
    const { headers } = await parseMime(Buffer.from(raw, 'latin1'));
    expect(headers.find(({ name }) => name === 'X-Note')?.value).toBe(literal);
  });

  it('changes a filename when they hide control characters', async () => {
    const raw = await compose({
      attachments: [
        { filename: `${literal}.txt`, contentType: 'text/plain', content: Buffer.from('x'), cid: null },
      ],
    });
    expect(raw).not.toContain('=?utf-8?q?=0D');
  });
});
