import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  comparableId,
  localPart,
  ownEmailId,
  ownMessageId,
  sesIdOf,
} from '../../../lib/core/emails/message-ids.ts';
import { composeId } from '../../../lib/core/ids.ts';
import { parseMessageIds } from '../../../lib/mail/message/parse-message-ids.ts';

describe('parseMessageIds', () => {
  it.each([
    ['<a@b.example>', ['<a@b.example>']],
    ['<a@b> <c@d>\r\n\t<e@f>', ['<a@b>', '<c@d>', '<e@f>']],
    ['<a@b>,<c@d>; <a@b>', ['<a@b>', '<c@d>']],
    ['a@b c@d', ['<a@b>', '<c@d>']],
    ['<a@b', ['<a@b>']],
    ['<a@b <c@d>', ['<a@b>', '<c@d>']],
    ['<a.long.id\r\n @b.example>', ['<a.long.id@b.example>']],
    ['"Message of Tuesday" <a@b>', ['<a@b>']],
    ['<no-at-sign>', ['<no-at-sign>']],
    ['your message of Tuesday', []],
    ['<> <<a@b>>', ['<a@b>']],
    ['', []],
  ])('parses %j', (value, ids) => {
    expect(parseMessageIds(value)).toEqual(ids);
  });

  it.each([
    // Python's email package, which folds between encoded words.
    [
      '=?utf-8?q?=3C0100018f2a3b4c5d-11111111-2222-3333-4444-555555555555-000000=40ema?= =?utf-8?q?il=2Eamazonses=2Ecom=3E?=',
      ['<0100018f2a3b4c5d-11111111-2222-3333-4444-555555555555-000000@email.amazonses.com>'],
    ],
    ['=?us-ascii?b?PGFAeD4gPGJAeD4=?=', ['<a@x>', '<b@x>']],
    ['<a@x> =?utf-8?q?=3Cb=40x=3E?=', ['<a@x>', '<b@x>']],
  ])('decodes encoded words in %j', (value, ids) => {
    expect(parseMessageIds(value)).toEqual(ids);
  });

  it('never throws and returns ids in angle brackets without white space', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom('<', '>', '@', ' ', 'a', ',', '\n') }), (value) => {
        for (const id of parseMessageIds(value)) expect(id).toMatch(/^<[^\s<>]+>$/);
      }),
    );
  });

  it('parses every list of well-formed ids', () => {
    const id = fc.stringMatching(/^<[a-z0-9.]{1,20}@[a-z0-9.]{1,20}>$/);
    fc.assert(
      fc.property(fc.uniqueArray(id), fc.constantFrom(' ', ',', '\r\n\t', ''), (ids, separator) => {
        expect(parseMessageIds(ids.join(separator))).toEqual(ids);
      }),
    );
  });
});

describe('ownEmailId', () => {
  const emailId = composeId('eml', 1_700_000_000_000, new Uint8Array(10).fill(7));

  it('returns the email id on any domain', () => {
    expect(ownEmailId(ownMessageId(emailId, 'acme.dev'))).toBe(emailId);
    expect(ownMessageId(emailId, 'acme.dev')).toBe(`<${emailId}@acme.dev>`);
  });

  it.each(['<thr_00000000000000000000000000000000@acme.dev>', '<eml_1@acme.dev>', '<x@acme.dev>', ''])(
    'are not seen in %j',
    (messageId) => expect(ownEmailId(messageId)).toBeNull(),
  );
});

describe('comparableId', () => {
  it('is the same when ids differ in case, or when SES ids differ in their region', () => {
    expect(comparableId('<CA+aB@Mail.Example>')).toBe(comparableId('<ca+Ab@mail.example>'));
    expect(comparableId('<0107-A@eu-central-1.amazonses.com>')).toBe(
      comparableId('<0107-a@EMAIL.amazonses.com>'),
    );
    expect(comparableId('<a@x.example>')).not.toBe(comparableId('<a@y.example>'));
  });
});

describe('sesIdOf', () => {
  it.each([
    ['<0100018e-abc-000000@email.amazonses.com>', '0100018e-abc-000000'],
    ['<0107018e-abc-000000@eu-central-1.amazonses.com>', '0107018e-abc-000000'],
    ['0107018e-abc@EU-CENTRAL-1.AmazonSES.com', '0107018e-abc'],
    ['<a@amazonses.com.evil.example>', null],
    ['<a@evilamazonses.com>', null],
    ['<@email.amazonses.com>', null],
    ['<a>', null],
  ])('of %s is %s', (messageId, id) => {
    expect(sesIdOf(messageId)).toBe(id);
  });
});

it('localPart ends at the last @', () => {
  expect(localPart('<a@b@c>')).toBe('a@b');
});
