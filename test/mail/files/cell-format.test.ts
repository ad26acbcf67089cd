import { describe, expect, it } from 'vitest';
import { cellFormat } from '../../../lib/mail/files/xlsx/cell-format.ts';

const shown = (pattern: string, literal: string) => cellFormat(200, pattern).number(literal, false);

describe('cellFormat shows a number', () => {
  it.each([
    // EAN, IMEI, phone, card.
    ['4006381333931', '4006381333931'],
    ['4.006381333931E12', '4006381333931'],
    ['353918052345671', '353918052345671'],
    ['4111111111111111', '4111111111111111'],
    ['-491711234567', '-491711234567'],
    ['1.23E+17', '123000000000000000'],
    ['0.30000000000000004', '0.3'],
    ['1.1000000000000001', '1.1'],
    ['0.33333333333333331', '0.333333333333333'],
    ['0.000012345', '0.000012345'],
    ['1E-10', '1E-10'],
    ['2.5E+30', '2.5E+30'],
    ['-0', '0'],
  ])('with all digits in General format: %s', (literal, expected) => {
    for (const pattern of ['General', 'GENERAL', '@']) expect(shown(pattern, literal)).toBe(expected);
    expect(shown('General" kg"', literal)).toBe(`${expected} kg`);
  });

  it.each([
    ['00000', '1234', '01234'],
    ['0', '4111111111111111', '4111111111111111'],
    ['0%', '0.125', '13%'],
    ['0.00', '1.005', '1.01'],
    ['#,##0.00 [$€-407]', '-1234.5', '-1,234.50 €'],
    ['[$¥-411]#,##0', '1500', '¥1,500'],
    ['# ?/?', '1.25', '1 1/4'],
    ['0.00E+00', '12345', '1.23E+04'],
    ['[h]:mm', '1.5', '36:00'],
    ['[h]:mm:ss', '-1.5', '-36:00:00'],
    ['mm:ss.0', '0.002135416666666667', '03:04.5'],
    ['0.0;(0.0);"none"', '-5', '(5.0)'],
    ['0.0;(0.0);"none"', '0', 'none'],
    ['[<=9999999]###-####;(###) ###-####', '5551234567', '(555) 123-4567'],
    ['dd.mm.yyyy', '46053', '31.01.2026'],
    ['[$-407]d. mmmm yyyy', '46086', '5. März 2026'],
    ['[$-C0A]d "de" mmmm "de" yyyy', '46053', '31 de enero de 2026'],
    ['[$-FC19]dd\\ mmmm\\ yyyy\\ \\г\\.;@', '46053', '31 января 2026 г.'],
    ['[$-419]mmmm yyyy', '46053', 'Январь 2026'],
    ['[$-415]d mmmm yyyy', '46053', '31 stycznia 2026'],
    ['[$-2010409]dddd', '46053', 'Saturday'],
    ['yyyy"年"m"月"d"日"', '46053', '2026年1月31日'],
    ['h:mm AM/PM', '0.75', '6:00 PM'],
    ['[$-804]上午/下午h:mm', '0.75', '下午6:00'],
    ['yyyy-mm-dd hh:mm:ss', '46053.999999', '2026-02-01 00:00:00'],
  ])('by its pattern: %s of %s', (pattern, literal, expected) => {
    expect(shown(pattern, literal)).toBe(expected);
  });

  it.each([
    ['[$-F800]dddd, mmmm dd, yyyy', '46053.75', '2026-01-31 18:00'],
    ['TT.MM.JJJJ', '46053', '2026-01-31'],
  ])('as an ISO date when its language is not known: %s', (pattern, literal, expected) => {
    expect(shown(pattern, literal)).toBe(expected);
  });

  it.each([
    [14, '46053', '2026-01-31'],
    [14, '0.75', '18:00'],
    [22, '46053.5', '2026-01-31 12:00'],
    [31, '46053', '2026-01-31'],
    [33, '0.5', '12:00'],
    [15, '46053', '31-Jan-26'],
    [4, '1234.5', '1,234.50'],
    [44, '-9.5', '$(9.50)'],
    [49, '4006381333931', '4006381333931'],
    [163, '4006381333931', '4006381333931'],
  ])('by its built-in format: %i', (id, literal, expected) => {
    expect(cellFormat(id, undefined).number(literal, false).trim()).toBe(expected);
  });

  it.each([
    ['a pattern that hides it', ';;;', '42', '42'],
    ['a pattern that shows its sign by a color', '#,##0;[Red]#,##0', '-1234', '-1,234'],
    ['a pattern of another program', 'Standard', '4006381333931', '4006381333931'],
    ['an unknown modifier', '[ENG][$-409]d. mmm yyyy', '46053', '31. Jan 2026'],
    ['a pattern that does not end', '"abc', '5', '5'],
    ['a pattern of any length', '['.repeat(1_000_000), '5', '5'],
    ['a date before 1900', 'yyyy-mm-dd', '-5', '-5'],
    ['a date after 9999', 'yyyy-mm-dd', '3000000', '3000000'],
  ])('without loss when there is %s', (_, pattern, literal, expected) => {
    expect(shown(pattern, literal)).toBe(expected);
  });

  it('leaves out zeros that a pattern hides', () => {
    expect(shown('0;-0;;@', '0')).toBe('');
  });

  it('counts days from 1904 when the workbook does', () => {
    expect(cellFormat(14, undefined).number('44591', true)).toBe('2026-01-31');
    expect(cellFormat(200, 'd mmm yyyy').number('44591', true)).toBe('31 Jan 2026');
    expect(cellFormat(14, undefined).number('0.75', true)).toBe('18:00');
    expect(cellFormat(46, undefined).number('1.5', true)).toBe('36:00:00');
  });
});

describe('cellFormat shows a text', () => {
  it.each([
    ['"Mr "@', 'Smith', 'Mr Smith'],
    ['0.00;-0.00;0;"text: "@', 'a', 'text: a'],
    ['0.00', 'a', 'a'],
    [';;;', 'kept', 'kept'],
    ['General', 'a', 'a'],
  ])('by its pattern: %s', (pattern, value, expected) => {
    expect(cellFormat(200, pattern).text(value)).toBe(expected);
  });
});
