import { describe, expect, it } from 'vitest';
import { decodeTextFile } from '../../../lib/mail/files/decode.ts';
import { extractText } from '../../../lib/mail/files/extract-text.ts';
import { encodeText } from '../../../scripts/charsets/encode.ts';
import { trialsOf } from '../../../scripts/charsets/judge.ts';
import { file } from './files.ts';

const encoded = (text: string, charset: string) => encodeText(text, charset) ?? Buffer.alloc(0);

describe('decodeTextFile', () => {
  it('reads no list of ten rows wrongly without a warning, in any language and charset', () => {
    const trials = trialsOf(10, 1, 100);
    const silent = trials.filter(({ isRight, warnings }) => !isRight && warnings.length === 0);
    expect(silent).toEqual([]);
    expect(trials.filter(({ isRight }) => isRight).length / trials.length).toBeGreaterThan(0.97);
  });

  it('warns and names both charsets when a short text makes sense in two', () => {
    const { warnings } = decodeTextFile(encoded('ID;Name\n1;Zoë\n', 'cp850'));
    expect(warnings).toEqual([
      expect.stringMatching(/^The file does not say its charset: read as .+, but it may be .+\.$/),
    ]);
  });

  it('believes the language of the message where the bytes leave it open', () => {
    const bytes = encoded('1;Łoś\n2;Żak\n', 'windows-1250');
    expect(decodeTextFile(bytes, { text: 'Zamówienie nr 5 – proszę o wycenę' })).toEqual({
      text: '1;Łoś\n2;Żak\n',
      warnings: [],
    });
  });

  it('believes a declared legacy charset unless the bytes speak against it', () => {
    const short = encoded('Größe;5\n', 'cp850');
    expect(decodeTextFile(short, { charset: 'ibm850' }).text).toBe('Größe;5\n');
    const russian = encoded('Иванов;Москва\nПетров;Казань\n', 'windows-1251');
    expect(decodeTextFile(russian, { charset: 'iso-8859-1' }).text).toBe('Иванов;Москва\nПетров;Казань\n');
  });

  it('keeps UTF-8 with damaged bytes, and counts them', () => {
    const bytes = Buffer.concat([
      Buffer.from('Größe;Länge\nBär;'),
      Buffer.from([0xff]),
      Buffer.from('\nÄpfel\n'),
    ]);
    expect(decodeTextFile(bytes)).toEqual({
      text: 'Größe;Länge\nBär;\ufffd\nÄpfel\n',
      warnings: ['Bytes that are not utf-8 are shown as \ufffd (1).'],
    });
  });

  it.each(['utf16le', 'utf16be'] as const)('reads %s without a byte order mark in any script', (encoding) => {
    for (const text of ['id,name\n1,Jo\n', 'ид;имя\n1;Пётр\n2;Анна\n', '编号,姓名\n1,王伟\n2,李娜\n']) {
      const bytes = Buffer.from(text, 'utf16le');
      expect(decodeTextFile(encoding === 'utf16le' ? bytes : bytes.swap16()).text).toBe(text);
    }
  });

  it.each(['DON’T', '“Fine”, she said', 'ООО «Ромашка» № 5'])('reads the punctuation of %j', (text) => {
    const charset = text.startsWith('О') ? 'windows-1251' : 'windows-1252';
    expect(decodeTextFile(encoded(text, charset)).text).toBe(text);
  });

  it('takes a degree sign or a currency sign for what it is', () => {
    expect(decodeTextFile(encoded('t;20°C\np;5 €\nq;£3\n', 'windows-1252')).text).toBe(
      't;20°C\np;5 €\nq;£3\n',
    );
  });
});

describe('extractText of lists', () => {
  const csv = async (text: string) => (await extractText(file(text, 'a.csv', 'text/csv'))).text;

  it.each([
    ['sep=;\nName;Preis\nA;1,5\nB;2,5\n', '| Name | Preis |\n| --- | --- |\n| A | 1,5 |\n| B | 2,5 |'],
    ['"SEP=;"\r\na,b;c\r\n', '| a,b | c |\n| --- | --- |'],
    ['Name;Preis\nA;1.234,50\nB;2,50\n', '| Name | Preis |\n| --- | --- |\n| A | 1.234,50 |\n| B | 2,50 |'],
    ['a|b\n1|2\n', '| a | b |\n| --- | --- |\n| 1 | 2 |'],
    ['a\tb\n1\t"x\ny"\n', '| a | b |\n| --- | --- |\n| 1 | x y |'],
    ['ean,n\n="00123",1\n', '| ean | n |\n| --- | --- |\n| 00123 | 1 |'],
  ])('reads %j', async (source, expected) => {
    expect(await csv(source)).toBe(expected);
  });
});
