import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { languageOf, pageLanguages } from '../../lib/http/pages/languages.ts';

describe('the language of a page', () => {
  it.each([
    [undefined, 'en'],
    ['', 'en'],
    ['*', 'en'],
    ['de', 'de'],
    ['de-AT,de;q=0.9,en;q=0.5', 'de'],
    ['DE-ch-1996', 'de'],
    ['en-US,en;q=0.9,de;q=0.8', 'en'],
    ['xx,fr;q=0.3', 'fr'],
    ['tlh, *;q=0.5', 'en'],
    ['en;q=0.5, pl;q=0.9', 'pl'],
    ['pl;q=0.9, cs;q=0.9', 'pl'],
    ['de;q=0, it', 'it'],
    ['de;q=0', 'en'],
    ['de;q=5, it;q=0.1', 'it'],
    ['de;q=-1, it;q=0.1', 'it'],
    ['de;q=0.1234, it;q=0.1', 'it'],
    ['de ; Q=0.2 , it;q=0.1', 'de'],
    ['pt-BR', 'pt'],
    ['nb-NO,nn;q=0.8', 'no'],
    ['nn', 'no'],
    ['iw', 'he'],
    ['zh', 'zh-Hans'],
    ['zh-CN', 'zh-Hans'],
    ['zh-SG', 'zh-Hans'],
    ['zh-TW', 'zh-Hant'],
    ['zh-HK', 'zh-Hant'],
    ['zh-Hant', 'zh-Hant'],
    ['zh-Hant-HK', 'zh-Hant'],
    ['zh-Hans-TW', 'zh-Hans'],
    ['ko-KR,ko;q=0.9', 'ko'],
    ['toString, __proto__', 'en'],
    ['deutsch', 'en'],
    [`${'xx-'.repeat(5000)},de`, 'en'],
    [`${'xx,'.repeat(5000)}de`, 'en'],
  ])('for %s is %s', (header, expected) => {
    expect(languageOf(header)).toBe(expected);
  });

  it('is one of the list for any header', () => {
    fc.assert(fc.property(fc.string(), (header) => pageLanguages.includes(languageOf(header))));
  });
});
