/**
 * Expressions for phrases, from their sources. They are in lower case and match texts in lower case: expressions that ignore
 * case take longer to compile, which counts when a function starts.
 */

/** Any of the phrases as whole words. Only Latin and Cyrillic have word boundaries here. */
export function anyOf(phrases: readonly string[]): RegExp {
  return new RegExp(
    `(?<![\\p{Script=Latin}\\p{Script=Cyrillic}])(?:${phrases.join('|')})(?![\\p{Script=Latin}\\p{Script=Cyrillic}])`,
    'u',
  );
}

/** Tags before a subject: `[External]`, `***SPAM***`. */
export const subjectTags = '^\\s*(?:\\[[^\\]\\n]{1,40}\\]\\s{0,5}|\\*{1,10}\\s{0,5}){0,3}';

/** Any of the phrases at the beginning of a subject, after its tags. */
export function startsWith(phrases: readonly string[]): RegExp {
  return new RegExp(`${subjectTags}[\\[【]?(?:${phrases.join('|')})`, 'u');
}

/** A question of more than three words, which no automatic reply asks: "Urgent?" is none. */
export function asks(text: string): boolean {
  for (const sentence of text.split(/(?<=[.!?。！？؟\n])/)) {
    if (!/[?？؟]$/.test(sentence)) continue;
    if (/[\u3040-\u30ff\u4e00-\u9fff\uac00-\ud7af]/.test(sentence)) return true;
    if (sentence.trim().split(/\s+/).length > 3) return true;
  }
  return false;
}
