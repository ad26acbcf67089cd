/** Owns the recognition of names, contact data and sentences in single lines. */

const contact =
  /[^\s<>@]@[^\s<>@]+\.\w|https?:\/\/|\bwww\.|(?:^|\s)[a-z0-9-]+\.(?:com|net|org|io|de|fr|eu|co\.uk|ru|pl|cz|se|no|dk|nl|it|es|br|cn|jp)\b/iu;
const telephone = /(?:\+|\(|\b)\d[\d\s().\-/]{5,18}\d\b/;
const label =
  /^(?:t|f|m|p|e|w|o|tel|tél|tlf|tfno|fon|fax|phone|mobile|mobil|cell|cel|móvil|handy|office|direct|e-?mail|mail|web|skype|whatsapp|telefon|telefono|téléphone|тел|моб|电话|電話|手机|邮箱|address|adresse)\.?\s?[:：.]\s?\S/iu;
const particles =
  /^(?:de|del|della|di|da|dos|das|do|van|von|der|den|ter|la|le|el|al|bin|ibn|y|e|af|zu|zur|und|and|&|\|)$/i;
const ideographs = /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}ー・\s　]{2,14}$/u;
/** Particles of sentences in scripts without spaces: a line with one of them is no name. */
const functionWords = /[的了是我你他她们們在不有这這那吗嗎吧呢だでをはが]|です|ます|ください/u;
const notNames =
  /^(?:yes|no|ok|okay|sure|hi|hello|hey|dear|thanks|thank|please|done|great|good|nice|perfect|agreed|ja|nein|oui|non|sí|si|sim|да|нет|tak|nie|nej|ano|ne|是|否|好|好的|はい|いいえ|hallo|bonjour|hola|ciao|monday|tuesday|wednesday|thursday|friday|saturday|sunday)$/iu;

/** True for a line with an address, link or telephone number, or with a label of one. */
export function hasContact(text: string): boolean {
  return label.test(text) || contact.test(text) || telephone.test(text);
}

/**
 * True for a line that may be a person's name: a few capitalised words without a number. `isLax` accepts a single word in
 * lower case, for positions where only a name is expected.
 */
export function isNameLike(line: string, isLax: boolean): boolean {
  const text = line
    .replace(/[*_]/g, '')
    .replace(/[.,!]+$/, '')
    .trim();
  if (text.length < 1 || text.length > 45 || /[\d@/\\:;?!"<>=]|https?/.test(text)) return false;
  if (ideographs.test(text)) return !notNames.test(text) && !functionWords.test(text);
  const words = text.split(' ').filter((word) => word !== '');
  if (words.length > 6 || notNames.test(words[0] ?? '')) return false;
  if (isLax && words.length === 1) return /^\p{L}[\p{L}\p{M}.'’-]*$/u.test(text);
  const parts = words.filter((word) => !particles.test(word));
  if (parts.length === 0 || parts.length > 5 || parts.at(-1) !== words.at(-1)) return false;
  return parts.every((word) => /^[(]?\p{Lu}[\p{L}\p{M}.,'’)-]*$/u.test(word)) && !/\p{Ll}{3}\.\s/u.test(text);
}

/** True for several words with a full stop, or for more words than a job title has. */
export function isSentence(text: string): boolean {
  if (/[。？！]$/u.test(text) && text.length > 8) return true;
  const words = text.split(' ').length;
  if (words > 5 && /\p{Ll}{2,}[.!?]["')]?$/u.test(text) && !hasContact(text)) return true;
  return words > 14 && !/[|•·]/.test(text);
}
