/** The languages of pages for people, and the choice among them by what a browser says (docs/concepts/suppressions.md#languages). */

/** Those in which quoting recognizes replies (lib/mail/quoting/languages.ts); Chinese in both scripts. */
export const pageLanguages = [
  'en',
  'de',
  'fr',
  'es',
  'pt',
  'it',
  'nl',
  'pl',
  'sv',
  'da',
  'no',
  'cs',
  'ru',
  'zh-Hans',
  'zh-Hant',
  'ja',
  'he',
  'ar',
  'fi',
  'hu',
  'ko',
] as const;
export type PageLanguage = (typeof pageLanguages)[number];

/** A sentence in each; `{name}` stands for a value. */
export type Translated<Sentences> = Readonly<Record<PageLanguage, Readonly<Sentences>>>;

export const directionOf = (language: PageLanguage): 'ltr' | 'rtl' =>
  language === 'he' || language === 'ar' ? 'rtl' : 'ltr';

/** Subtags that mean one of the languages under another name. */
const synonyms: ReadonlyMap<string, PageLanguage> = new Map([
  ['nb', 'no'],
  ['nn', 'no'],
  ['iw', 'he'],
  ['zh', 'zh-Hans'],
  ['zh-hk', 'zh-Hant'],
  ['zh-mo', 'zh-Hant'],
  ['zh-tw', 'zh-Hant'],
  ...pageLanguages.map((language) => [language.toLowerCase(), language] as const),
]);

/** Browsers send a few hundred characters. */
const charactersMax = 1000;

/**
 * The language that fits `Accept-Language` best (RFC 9110, section 12.5.4; "Lookup" of RFC 4647, section 3.4); English where
 * none fits.
 */
export function languageOf(acceptLanguage: string | undefined): PageLanguage {
  const ranges = (acceptLanguage ?? '')
    .slice(0, charactersMax)
    .split(',')
    .map(rangeOf)
    .filter(({ weight }) => weight > 0)
    // Stable: equal weights stay in their order.
    .sort((a, b) => b.weight - a.weight);
  for (const { range } of ranges) {
    const language = lookUp(range);
    if (language) return language;
  }
  return 'en';
}

function rangeOf(text: string): { readonly range: string; readonly weight: number } {
  const [range = '', ...parameters] = text.split(';').map((part) => part.trim().toLowerCase());
  const weight = parameters.find((parameter) => parameter.startsWith('q='))?.slice('q='.length);
  // A malformed weight excludes its range.
  if (weight !== undefined && !/^(?:0(?:\.\d{0,3})?|1(?:\.0{0,3})?)$/.test(weight))
    return { range, weight: 0 };
  return { range, weight: Number(weight ?? 1) };
}

/** Leaves out subtags from the end until a language is left: `de-AT-1996` is `de`. */
function lookUp(range: string): PageLanguage | null {
  const subtags = range.split('-');
  for (let length = Math.min(subtags.length, 4); length > 0; length--) {
    const language = synonyms.get(subtags.slice(0, length).join('-'));
    if (language) return language;
  }
  return null;
}
