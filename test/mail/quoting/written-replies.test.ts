/** Colloquial replies and forwards, written by hand. */
import { describe, expect, it } from 'vitest';
import { stripText } from '../../../lib/mail/quoting/strip.ts';
import { writtenReplies } from './written-cases.ts';

describe('stripText', () => {
  it.each(writtenReplies)(
    'returns what its author wrote when it is a $language $kind',
    ({ text, written }) => {
      expect(stripText(text).stripped.trim()).toBe(written);
    },
  );
});
