import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decompressRtf } from '../../../lib/mail/message/compressed-rtf.ts';

const bytesMax = 1024 * 1024;

describe('decompressRtf', () => {
  // The examples of [MS-OXRTFCP] 3.1.1 and 3.1.2.
  it.each([
    [
      '2d0000002b0000004c5a4675f1c5c7a703000a007263706731323542320af32068656c090020627705b06c647d0a800fa0',
      '{\\rtf1\\ansi\\ansicpg1252\\pard hello world}\r\n',
    ],
    ['1a0000001c0000004c5a4675e2d44b51410004205758595a0d6e7d010eb0', '{\\rtf1 WXYZWXYZWXYZWXYZWXYZ}'],
  ])('decompresses %s', (stream, rtf) => {
    expect(decompressRtf(Buffer.from(stream, 'hex'), bytesMax)?.toString('latin1')).toBe(rtf);
  });

  it('returns an uncompressed stream without its header', () => {
    const header = Buffer.from('100000000500000 04d454c4100000000'.replace(' ', ''), 'hex');
    expect(decompressRtf(Buffer.concat([header, Buffer.from('{\\rtf')]), bytesMax)?.toString()).toBe(
      '{\\rtf',
    );
  });

  it('returns null when the stream has another form', () => {
    expect(decompressRtf(Buffer.from('{\\rtf1 plain rtf of more than a header}'), bytesMax)).toBeNull();
    expect(decompressRtf(Buffer.alloc(3), bytesMax)).toBeNull();
  });

  it('never throws and never exceeds the limit', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 400 }), fc.integer({ min: 0, max: 500 }), (bytes, limit) => {
        const header = Buffer.from('00000000ffffffff4c5a467500000000', 'hex');
        const rtf = decompressRtf(Buffer.concat([header, bytes]), limit);
        expect(rtf?.length).toBeLessThanOrEqual(limit);
      }),
    );
  });
});
