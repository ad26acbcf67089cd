import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseTnef } from '../../../lib/mail/message/tnef.ts';
import { cpuMs, targetMs } from '../../../scripts/ten-megabytes.ts';
import { binary, embedded, long, tnef, unicode } from './tnef-builder.ts';

/** `{\rtf1\ansi\ansicpg1252\pard hello world}`, compressed ([MS-OXRTFCP] 3.1.1). */
const helloRtf = Buffer.from(
  '2d0000002b0000004c5a4675f1c5c7a703000a007263706731323542320af32068656c090020627705b06c647d0a800fa0',
  'hex',
);
const pdf = Buffer.from('%PDF-1.4\n\0\xff\r\n', 'latin1');

describe('parseTnef', () => {
  it('returns the files with their exact bytes and their best names', () => {
    const opened = parseTnef(
      tnef({
        codePage: 1251,
        files: [
          { title: Buffer.from([0xf1, 0xf7, 0xb8, 0xf2, 0x2e, 0x70, 0x64, 0x66]), data: pdf },
          {
            title: Buffer.from('LONGNA~1.JPG'),
            data: Buffer.from('jpeg'),
            properties: [
              { type: 0x1f, id: 0x8005, value: Buffer.from('other\0', 'utf16le'), name: 'x-name' },
              { type: 3, id: 0x8006, value: Buffer.alloc(4), name: 0x8501 },
              long(0x3705, 1),
              unicode(0x3707, 'Größe – 大.jpg'),
              unicode(0x370e, 'image/jpeg'),
              unicode(0x3712, 'image001.jpg@01D0'),
            ],
          },
          { properties: [unicode(0x3707, 'ole.bin'), binary(0x3701, Buffer.from('object'))] },
        ],
      }),
    );
    expect(opened?.isWhole).toBe(true);
    expect(opened?.files).toEqual([
      { filename: 'счёт.pdf', contentType: null, cid: null, content: pdf },
      {
        filename: 'Größe – 大.jpg',
        contentType: 'image/jpeg',
        cid: 'image001.jpg@01D0',
        content: Buffer.from('jpeg'),
      },
      { filename: 'ole.bin', contentType: null, cid: null, content: Buffer.from('object') },
    ]);
  });

  it('returns html before text, and text before RTF', () => {
    const html = binary(0x1013, Buffer.from('<p>H\xe4</p>', 'latin1'));
    const text = unicode(0x1000, 'Text');
    const rtf = binary(0x1009, helloRtf);
    const body = (...properties: Parameters<typeof tnef>[0]['properties'] & object) => {
      const opened = parseTnef(tnef({ properties }));
      return [opened?.html, opened?.text];
    };
    expect(body(html, text, rtf)).toEqual(['<p>Hä</p>', 'Text']);
    expect(body(text, rtf)).toEqual([null, 'Text']);
    expect(body(rtf)).toEqual([null, 'hello world']);
    expect(parseTnef(tnef({ codePage: 932, body: Buffer.from([0x93, 0xfa, 0x96, 0x7b]) }))?.text).toBe(
      '日本',
    );
  });

  it('returns the files of a message within the message, and its body as a file', () => {
    const inner = tnef({
      properties: [unicode(0x1000, 'Inner text')],
      files: [{ title: Buffer.from('a.pdf'), data: pdf }],
    });
    const opened = parseTnef(
      tnef({ files: [{ title: Buffer.from('Minutes'), properties: [embedded(inner)] }] }),
    );
    expect(opened?.files.map(({ filename, content }) => [filename, Buffer.from(content)])).toEqual([
      ['Minutes.txt', Buffer.from('Inner text')],
      ['a.pdf', pdf],
    ]);
  });

  it('returns the files before the damage when the stream is truncated', () => {
    const files = [1, 2].map((at) => ({ title: Buffer.from(`${at}.pdf`), data: pdf }));
    const whole = tnef({ files });
    const opened = parseTnef(whole.subarray(0, -pdf.length));
    expect(opened?.isWhole).toBe(false);
    expect(opened?.files.map(({ filename }) => filename)).toEqual(['1.pdf', '2.pdf']);
    expect(parseTnef(Buffer.from('%PDF-1.4'))).toBeNull();
    expect(parseTnef(whole)?.isWhole).toBe(true);
  });

  it('never throws and returns files within the stream when bytes are changed', () => {
    const whole = tnef({
      properties: [unicode(0x1000, 'Text'), binary(0x1009, helloRtf)],
      files: [{ title: Buffer.from('a'), properties: [embedded(tnef({ body: Buffer.from('x') }))] }],
    });
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.nat(whole.length - 1), fc.nat(255)), { maxLength: 8 }), (changes) => {
        const damaged = Buffer.from(whole);
        for (const [at, octet] of changes) damaged[at] = octet;
        const size = parseTnef(damaged)?.files.reduce((sum, { content }) => sum + content.length, 0) ?? 0;
        expect(size).toBeLessThanOrEqual(damaged.length);
      }),
    );
  });

  it.each([
    ['empty attachments', () => tnef({ files: Array.from({ length: 400_000 }, () => ({})) })],
    [
      'properties without end',
      () => {
        const list = binary(0x1013, Buffer.alloc(10_000_000, 3));
        return tnef({ properties: [{ ...list, type: 3 }] });
      },
    ],
    [
      'messages in messages',
      () => {
        let stream = tnef({ body: Buffer.alloc(10_000_000, 'x') });
        for (let level = 0; level < 20; level++)
          stream = tnef({ files: [{ properties: [embedded(stream)] }] });
        return stream;
      },
    ],
    [
      'RTF that expands',
      () => {
        const header = Buffer.from('00000000ffffffff4c5a467500000000', 'hex');
        const unit = Buffer.from('ff000f000f000f000f000f000f000f000f', 'hex');
        const stream = Buffer.concat([header, Buffer.alloc(10_000_000, unit)]);
        return tnef({ properties: [binary(0x1009, stream)] });
      },
    ],
  ])('is linear when ten megabytes hold %s', async (_what, made) => {
    const stream = made();
    expect(await cpuMs(() => parseTnef(stream))).toBeLessThan(targetMs);
  });
});
