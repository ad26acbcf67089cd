import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { unflow } from '../../../lib/mail/text/flowed.ts';

const joined = (...lines: string[]) => unflow(lines.join('\n'), { delSp: false });

describe('unflow', () => {
  it('joins flowed lines', () => {
    expect(joined('One ', 'two ', 'three.', 'Next.', '', 'Last ', 'one')).toBe(
      'One two three.\nNext.\n\nLast one',
    );
  });

  it('removes the trailing space when DelSp is yes', () => {
    expect(unflow('東京 \n都 \nです', { delSp: true })).toBe('東京都です');
    expect(unflow('a  \nb \n', { delSp: true })).toBe('a b');
  });

  it('joins quoted lines of the same depth', () => {
    expect(joined('> How are ', '> you?', '>> Fine, ', '>> and you?')).toBe(
      '> How are you?\n>> Fine, and you?',
    );
  });

  it('joins no lines when their quote depths differ', () => {
    expect(joined('> Hi ', 'Hello')).toBe('> Hi \nHello');
    expect(joined('Hello ', '> Hi')).toBe('Hello \n> Hi');
    expect(joined('>> Hi ', '> Hello')).toBe('>> Hi \n> Hello');
  });

  it('keeps the signature separator', () => {
    expect(joined('Bye ', '-- ', 'Ann')).toBe('Bye \n-- \nAnn');
    expect(joined('> -- ', '> Ann')).toBe('> -- \n> Ann');
  });

  it('removes space-stuffing unless the line would become a quote', () => {
    expect(joined(' From here', '  indented', ' >not a quote')).toBe('From here\n indented\n >not a quote');
  });

  it('keeps all words and changes of quote depth', () => {
    const line = fc.tuple(fc.integer({ min: 0, max: 3 }), fc.constantFrom('word', 'word ', '', '-- '));
    fc.assert(
      fc.property(fc.array(line), fc.boolean(), (lines, delSp) => {
        const text = lines.map(([depth, words]) => `${'>'.repeat(depth)} ${words}`).join('\n');
        const words = (of: string) => of.match(/word/g)?.length ?? 0;
        const depths = (of: string) => new Set(of.split('\n').map((one) => /^>*/.exec(one)?.[0].length));
        expect(words(unflow(text, { delSp }))).toBe(words(text));
        expect(depths(unflow(text, { delSp }))).toEqual(depths(text));
      }),
    );
  });
});
