import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readHeaders, rewriteHeaders } from '../../../lib/local/ses/headers.ts';
import { message } from './kit.ts';

describe('readHeaders', () => {
  it('unfolds values and skips invalid lines', () => {
    const { fields } = readHeaders(
      message('From ann Sat Nov 21', 'Subject: a', '\tb', 'nonsense', 'To : c', '', 'X: body'),
    );
    expect(fields.map(({ name, value }) => [name, value])).toEqual([
      ['Subject', 'a\tb'],
      ['To', 'c'],
    ]);
  });

  it('never throws and returns ordered fields within the header section', () => {
    const bytes = fc.oneof(
      fc.uint8Array({ maxLength: 300 }),
      fc.string({ unit: fc.constantFrom('a', ':', ' ', '\r', '\n', '\t', '\0', 'é'), maxLength: 60 }),
    );
    fc.assert(
      fc.property(bytes, (input) => {
        const raw = Buffer.from(input);
        const { fields, endsAt } = readHeaders(raw);
        const offsets = [...fields.flatMap(({ at }) => at), endsAt];
        expect(offsets).toEqual([...offsets].sort((a, b) => a - b));
        expect(endsAt).toBeLessThanOrEqual(raw.length);
      }),
    );
  });
});

describe('rewriteHeaders', () => {
  it('drops fields with their folded lines and keeps all other octets', () => {
    const raw = Buffer.concat([
      message('Bcc: a@b.test,', ' c@d.test', 'Subject: S', 'bcc: e@f.test', '', 'body'),
      Buffer.from([0, 0xff]),
    ]);
    expect(rewriteHeaders(raw, ['bcc'], [['Date', 'today']])).toEqual(
      Buffer.concat([message('Subject: S', 'Date: today', '', 'body'), Buffer.from([0, 0xff])]),
    );
  });

  it('ends the last line of a message without body before it appends', () => {
    expect(rewriteHeaders(Buffer.from('Subject: S'), [], [['Date', 'today']]).toString()).toBe(
      'Subject: S\r\nDate: today\r\n',
    );
  });
});
