/** Colloquial replies and forwards, written by hand (`scripts/replies/written-cases.ts`). */
import { describe, expect, it } from 'vitest';
import { stripText } from '../../../lib/core/quoting/strip.ts';
import { writtenReplies } from '../../../scripts/replies/written-cases.ts';

describe('stripText', () => {
  it.each(writtenReplies)(
    'returns what its author wrote when it is a $language $kind',
    ({ text, written }) => {
      expect(stripText(text).stripped.trim()).toBe(written);
    },
  );
});
