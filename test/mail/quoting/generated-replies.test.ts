import { describe, expect, it } from 'vitest';
import { stripHtml, stripText } from '../../../lib/mail/quoting/strip.ts';
import { allLanguages } from './generated/all-languages.ts';
import { generateReplies } from './generated/generate.ts';

const replies = [...generateReplies('development'), ...generateReplies('heldOut')];

function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}

describe.each(allLanguages.map(({ title, language }) => ({ title, language })))(
  'strip, on generated mail in $title',
  ({ language }) => {
    it.each(['text', 'html'] as const)('returns what the author wrote when the body is %s', (format) => {
      const wrong = replies
        .filter((reply) => reply.language === language && reply.format === format)
        .map(({ client, kind, body, written }) => ({
          client,
          kind,
          written: oneLine(written),
          found: oneLine(format === 'text' ? stripText(body).stripped : stripHtml(body).strippedText),
        }))
        .filter(({ written, found }) => written !== found);
      expect(wrong).toEqual([]);
    });
  },
);
