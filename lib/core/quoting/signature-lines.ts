/** What a line of a signature looks like: a name, a way to reach someone; and what a sentence looks like, which is neither. */

const contact =
  /[^\s<>@]@[^\s<>@]+\.\w|https?:\/\/|\bwww\.|(?:^|\s)[a-z0-9-]+\.(?:com|net|org|io|de|fr|eu|co\.uk|ru|pl|cz|se|no|dk|nl|it|es|br|cn|jp)\b/iu;
const telephone = /(?:\+|\(|\b)\d[\d\s().\-/]{5,18}\d\b/;
const label =
  /^(?:t|f|m|p|e|w|o|tel|tél|tlf|tfno|fon|fax|phone|mobile|mobil|cell|cel|móvil|handy|office|direct|e-?mail|mail|web|skype|whatsapp|telefon|telefono|téléphone|тел|моб|电话|電話|手机|邮箱|address|adresse)\.?\s?[:：.]\s?\S/iu;
const particles =
  /^(?:de|del|della|di|da|dos|das|do|van|von|der|den|ter|la|le|el|al|bin|ibn|y|e|af|zu|zur|und|and|&|\|)$/i;
const ideographs = /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}ー・\s　]{2,14}$/u;
/** What sentences have and names have not, where both are written without blanks. */
const functionWords = /[的了是我你他她们們在不有这這那吗嗎吧呢だでをはが]|です|ます|ください/u;
const noNames =
  /^(?:yes|no|ok|okay|sure|hi|hello|hey|dear|thanks|thank|please|done|great|good|nice|perfect|agreed|ja|nein|oui|non|sí|si|sim|да|нет|tak|nie|nej|ano|ne|是|否|好|好的|はい|いいえ|hallo|bonjour|hola|ciao|monday|tuesday|wednesday|thursday|friday|saturday|sunday)$/iu;

/** An address, a link, a telephone number, or a line that says it is one. */
export function hasContact(text: string): boolean {
  return label.test(text) || contact.test(text) || telephone.test(text);
}

/**
 * A line that may be a person's name: a few capitalised words without a number. `lax` lets a single uncapitalised word
 * through, for places where only a name is to be expected.
 */
export function isNameLike(line: string, lax: boolean): boolean {
  const text = line
    .replace(/[*_]/g, '')
    .replace(/[.,!]+$/, '')
    .trim();
  if (text.length < 1 || text.length > 45 || /[\d@/\\:;?!"<>=]|https?/.test(text)) return false;
  if (ideographs.test(text)) return !noNames.test(text) && !functionWords.test(text);
  const words = text.split(' ').filter((word) => word !== '');
  if (words.length > 6 || noNames.test(words[0] ?? '')) return false;
  if (lax && words.length === 1) return /^\p{L}[\p{L}\p{M}.'’-]*$/u.test(text);
  const parts = words.filter((word) => !particles.test(word));
  if (parts.length === 0 || parts.length > 5 || parts.at(-1) !== words.at(-1)) return false;
  return parts.every((word) => /^[(]?\p{Lu}[\p{L}\p{M}.,'’)-]*$/u.test(word)) && !/\p{Ll}{3}\.\s/u.test(text);
}

/** Prose: several words with a full stop, or more words than a job title has. */
export function isSentence(text: string): boolean {
  if (/[。？！]$/u.test(text) && text.length > 8) return true;
  const words = text.split(' ').length;
  if (words > 5 && /\p{Ll}{2,}[.!?]["')]?$/u.test(text) && !hasContact(text)) return true;
  return words > 14 && !/[|•·]/.test(text);
}
