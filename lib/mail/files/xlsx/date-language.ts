/** The languages of dates in number formats, such as `[$-C0A]`, for names of months and days ([MS-LCID]). */
import { addLocale, getLocale } from 'numfmt';

/** Languages whose months have another form beside a day, by the primary language of their code. */
const inflected: Readonly<Record<number, string>> = {
  5: 'cs',
  21: 'pl',
  25: 'ru',
  26: 'hr',
  27: 'sk',
  34: 'uk',
  35: 'be',
  39: 'lt',
};

/** A date pattern with languages that the library knows. */
export function withKnownLanguage(pattern: string): string {
  const besides = pattern.replace(/"[^"]*"|\\.|\[[^\]]*\]/gs, '');
  const hasDay = /(?:^|[^d])d{1,2}(?:[^d]|$)/i.test(besides) && /mmmm/i.test(besides);
  return pattern.replace(/\[\$-([0-9a-f]{1,8})\]/gi, (part, hex: string) => {
    const code = Number.parseInt(hex, 16) & 0xffff;
    // The lower ten bits are the language, the others its country or the form of its months.
    const language = code & 0x3ff;
    const tag = hasDay ? inflected[language] : undefined;
    if (tag) return `[$-${inflectedTag(tag)}]`;
    return getLocale(code) || code === 0 ? part : `[$-${(0x400 | language).toString(16)}]`;
  });
}

/** The tags of languages with their months as they stand beside a day; the library keeps them by these tags. */
const registered = new Map<string, string>();

function inflectedTag(language: string): string {
  const known = registered.get(language);
  if (known) return known;
  const tag = `${language}-DM`;
  const form = new Intl.DateTimeFormat(language, { day: 'numeric', month: 'long', timeZone: 'UTC' });
  const of = (month: number) =>
    form.formatToParts(Date.UTC(2026, month, 1)).find(({ type }) => type === 'month')?.value ?? '';
  addLocale(
    {
      ...getLocale(language),
      mmmm: [of(0), of(1), of(2), of(3), of(4), of(5), of(6), of(7), of(8), of(9), of(10), of(11)],
    },
    tag,
  );
  registered.set(language, tag);
  return tag;
}
