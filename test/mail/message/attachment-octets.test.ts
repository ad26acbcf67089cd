import { describe, expect, it } from 'vitest';
import { attachFiles, differenceReason } from '../../../scripts/corpus/attachments.ts';

describe('parseMime', () => {
  it('returns the octets of the file that was attached when any encoding is used', async () => {
    const different = (await attachFiles()).filter(({ isIdentical }) => !isIdentical);
    expect(different.filter(({ what }) => differenceReason(what) === 'not explained yet')).toEqual([]);
  });
});
