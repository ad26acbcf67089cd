import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { codecOf, decodeTextBody } from '../../../lib/mail/message/transfer-encodings.ts';
import { expectLinear } from '../../support/growth.ts';

const decode = (encoding: string, body: string) =>
  decodeTextBody(encoding, Buffer.from(body, 'latin1')).toString('latin1');

describe('codecOf', () => {
  it.each([
    ['base64', 'base64'],
    [' BASE64 ', 'base64'],
    ['(comment) "base64"', 'base64'],
    ['Quoted-Printable', 'quoted-printable'],
    ['8bit', null],
    ['', null],
    ['x-uuencode', 'uuencode'],
    ['x-unknown', null],
  ])('%j is %s', (encoding, codec) => {
    expect(codecOf(encoding)).toBe(codec);
  });
});

describe('decodeTextBody of base64', () => {
  it.each([
    ['in lines', 'YWJj\r\nZGVm\r\n', 'abcdef'],
    ['padded at its end', 'YWJjZA==', 'abcd'],
    ['padded in every line', 'YQ==\r\nYmM=\r\nZGVm', 'abcdef'],
    ['with what belongs to no alphabet', 'Y W-J_j!\0', 'abc'],
    ['cut off', 'YWJjZ', 'abc'],
    ['of nothing', '====', ''],
  ])('decodes %s', (_how, body, content) => {
    expect(decode('base64', body)).toBe(content);
  });

  it('decodes any content with any line length', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 300 }), fc.integer({ min: 1, max: 90 }), (content, width) => {
        const lines =
          Buffer.from(content)
            .toString('base64')
            .match(new RegExp(`.{1,${width}}`, 'g')) ?? [];
        expect(decodeTextBody('base64', Buffer.from(lines.join('\r\n')))).toEqual(Buffer.from(content));
      }),
    );
  });
});

describe('decodeTextBody of quoted-printable', () => {
  it.each([
    ['escapes', 'a=3Db =c3=A4\n', 'a=b \xc3\xa4\n'],
    ['breaks that are none', 'a=\r\nb=\n=\r\r\nc\n', 'abc\n'],
    ['a break at the end', 'a=', 'a'],
    ['what is no escape', 'a=zz =4 =\n', 'a=zz =4 '],
    ['returns of their own', 'a\rb\r\rc\r\r\nd', 'a\rb\r\rc\nd\n'],
  ])('decodes %s', (_what, body, content) => {
    expect(decode('quoted-printable', body)).toBe(content);
  });
});

describe('decodeTextBody of an identity encoding', () => {
  it.each([
    ['ends every line in a line feed', 'a\r\nb\r\r\n\r\nc', 'a\nb\n\nc\n'],
    ['has equals signs', 'a=3D=\r\n', 'a=3D=\n'],
    ['may be empty', '', ''],
  ])('keeps %s', (_what, body, content) => {
    expect(decode('8bit', body)).toBe(content);
  });
});

describe('decodeTextBody is linear', () => {
  it.each([
    ['base64', 'YQ==', ''],
    ['quoted-printable', '=\r', '\n'],
    ['quoted-printable', '=', 'x'],
    ['8bit', '\r', 'x'],
    ['8bit', '\r', '\n'],
    ['8bit', '\r\n', ''],
  ])('when %s repeats %j before %j', async (encoding, unit, end) => {
    await expectLinear(
      (size) => Buffer.from(unit.repeat(size) + end),
      (body) => decodeTextBody(encoding, body),
      20_000,
    );
  });
});

describe('decodeTextBody of large bodies', () => {
  it.each([-1, 0, 1, 2])(
    'writes the same lines %i bytes from the size up to which a string is made',
    (more) => {
      const lines = (end: string) => `${`größer${end}`.repeat(131_071)}${'x'.repeat(8 + more)}`;
      const body = Buffer.from(lines('\r\n').slice(0, 1024 * 1024 + more), 'latin1');
      const expected = `${body.toString('latin1').replaceAll('\r\n', '\n')}\n`;
      expect(decodeTextBody('8bit', body).toString('latin1') === expected).toBe(true);
      expect(body.length).toBe(1024 * 1024 + more);
    },
  );
});
