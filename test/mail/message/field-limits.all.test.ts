import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cutBytes, cutFilename, cutReferences, fieldLimits } from '../../../lib/mail/message/field-limits.ts';
import { type ParsedMessage, parseMime } from '../../../lib/mail/message/parse-mime.ts';

const bytes = (text: string | null): number => Buffer.byteLength(text ?? '');

describe('cutBytes', () => {
  it('returns the beginning of whole characters that fits', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), fc.nat(60), (text, bytesMax) => {
        const cut = cutBytes(text, bytesMax);
        expect(text.startsWith(cut)).toBe(true);
        expect(bytes(cut)).toBeLessThanOrEqual(bytesMax);
        expect(cut.isWellFormed()).toBe(true);
        const [next = ''] = text.slice(cut.length);
        expect(next === '' || bytes(cut) + bytes(next) > bytesMax).toBe(true);
      }),
    );
  });
});

describe('cutFilename', () => {
  it.each([
    ['short.pdf', 'short.pdf'],
    [`${'x'.repeat(500)}.pdf`, `${'x'.repeat(251)}.pdf`],
    [`${'ü'.repeat(500)}.tar`, `${'ü'.repeat(125)}.tar`],
    ['x'.repeat(500), 'x'.repeat(255)],
    [`a.${'x'.repeat(500)}`, `a.${'x'.repeat(253)}`],
  ])('keeps the extension of %s', (name, expected) => {
    expect(cutFilename(name)).toBe(expected);
  });
});

it('cutReferences keeps the first and the last ids of a long list', () => {
  const ids = Array.from({ length: 500 }, (_, at) => `<${at}@x>`);
  const kept = cutReferences(ids);
  expect([kept.length, kept[0], kept[19], kept[20], kept.at(-1)]).toEqual([
    100,
    '<0@x>',
    '<19@x>',
    '<420@x>',
    '<499@x>',
  ]);
});

/** Header fields and part fields, each of which takes any text. */
const fields: Readonly<Record<string, (text: string) => { header?: string; part?: string }>> = {
  'the name of the author': (text) => ({ header: `From: "${text}" <ann@a.example>` }),
  'the address of the author': (text) => ({ header: `From: ${text.replace(/[^\w]/g, 'x')}@a.example` }),
  'a word as author': (text) => ({ header: `From: Name <${text.replace(/[^\w]/g, 'x')}>` }),
  'the names of recipients': (text) => ({ header: `To: "${text}" <ann@a.example>` }),
  recipients: (text) => ({ header: `Cc: ${'ann@a.example, '.repeat(text.length / 15)}bob@a.example` }),
  'the subject': (text) => ({ header: `Subject: ${text}` }),
  'an encoded subject': (text) => ({
    header: `Subject: =?utf-8?b?${Buffer.from(text).toString('base64')}?=`,
  }),
  'the Message-ID': (text) => ({ header: `Message-ID: <${text}@a.example>` }),
  references: (text) => ({ header: `References: ${'<a@x> <b'.repeat(text.length / 8)}` }),
  'a header value': (text) => ({ header: `X-Long: ${text}` }),
  'a header name': (text) => ({ header: `${text.replace(/[^\w]/g, 'x')}: y` }),
  headers: (text) => ({ header: 'X: y\r\n'.repeat(text.length / 8).trimEnd() }),
  'a filename': (text) => ({ part: `Content-Disposition: attachment; filename="${text}.pdf"` }),
  'a Content-ID': (text) => ({ part: `Content-ID: <${text.replace(/[^\w]/g, 'x')}>` }),
  'a media type': (text) => ({ part: `Content-Type: ${text.replace(/[^\w]/g, 'x')}/x` }),
  'a disposition': (text) => ({ part: `Content-Disposition: ${text.replace(/[^\w]/g, 'x')}` }),
  'a charset': (text) => ({ part: `Content-Type: text/plain; charset="${text}"; name=a` }),
};

function expectLimited(message: ParsedMessage): void {
  const people = [
    message.from,
    message.sender,
    ...message.to,
    ...message.cc,
    ...message.bcc,
    ...message.replyTo,
  ];
  for (const person of people) {
    expect(bytes(person?.name ?? null)).toBeLessThanOrEqual(fieldLimits.displayNameBytes);
    expect(bytes(person?.address ?? null)).toBeLessThanOrEqual(fieldLimits.addressBytes);
  }
  for (const list of [message.to, message.cc, message.bcc, message.replyTo])
    expect(list.length).toBeLessThanOrEqual(fieldLimits.addresses);
  expect(bytes(message.subject)).toBeLessThanOrEqual(fieldLimits.subjectBytes);
  for (const ids of [message.references, message.inReplyTo])
    expect(ids.length).toBeLessThanOrEqual(fieldLimits.firstReferences + fieldLimits.lastReferences);
  for (const id of [message.messageId ?? '', ...message.references, ...message.inReplyTo])
    expect(bytes(id)).toBeLessThanOrEqual(fieldLimits.messageIdBytes + 2);
  expect(message.headers.length).toBeLessThanOrEqual(fieldLimits.headers);
  expect(bytes(JSON.stringify(message.headers))).toBeLessThanOrEqual(3 * fieldLimits.headersBytes);
  for (const file of message.attachments) {
    expect(bytes(file.filename)).toBeLessThanOrEqual(fieldLimits.filenameBytes);
    expect(bytes(file.cid)).toBeLessThanOrEqual(fieldLimits.contentIdBytes);
    expect(bytes(file.contentType)).toBeLessThanOrEqual(fieldLimits.mediaTypeBytes);
    // S3 and HTTP refuse other characters in a header.
    expect(file.contentType).toMatch(/^[\x21-\x7e]+\/[\x21-\x7e]+$/);
    expect(bytes(file.disposition)).toBeLessThanOrEqual(40);
  }
}

const filledWith: Readonly<Record<string, string>> = {
  letters: 'x',
  'quotation marks': '\\"',
  brackets: '<',
  'letters of three bytes': '日',
  words: 'word ',
};

function messageOf(of: readonly { header?: string; part?: string }[]): Buffer {
  const headers = of.flatMap(({ header }) => header ?? []);
  const parts = of.flatMap(({ part }) => (part === undefined ? [] : [`--b\r\n${part}\r\n\r\nx`]));
  return Buffer.from(
    [...headers, 'Content-Type: multipart/mixed; boundary=b', '', '--b', '', 'text', ...parts, '--b--'].join(
      '\r\n',
    ),
  );
}

describe.each(Object.entries(filledWith))('parseMime limits a field of %s', (what, unit) => {
  // One filling takes the size that a header may have, the others are as long as needed.
  const size = what === 'quotation marks' ? 4 * 1024 * 1024 - 1024 : 64 * 1024;
  const text = unit.repeat(size / Buffer.byteLength(unit));

  it.each(Object.entries(fields))('when it is %s', async (_field, make) => {
    const message = await parseMime(messageOf([make(text)]));
    expectLimited(message);
    expect(message.text).toContain('text');
  });

  it('when all fields are long', async () => {
    const each = text.slice(0, text.length / 20);
    expectLimited(await parseMime(messageOf(Object.values(fields).map((make) => make(each)))));
  });
});
