/** Owns the recognition of names, contact data and sentences in single lines. */
import { allWords, wordTest } from './languages.ts';
import { companyWords, contactCues, requestWords, sentenceWords } from './sentence-words.ts';
import { ruleCharactersMax } from './text-document.ts';

const contact =
  /[^\s<>@]@[^\s<>@]+\.\w|https?:\/\/|\bwww\.|(?:^|\s)[a-z0-9-]+\.(?:com|net|org|io|de|fr|eu|co\.uk|ru|pl|cz|se|no|dk|nl|it|es|br|cn|jp)\b/iu;
const telephone = /(?:\+|\(|\b)\d[\d\s().\-/]{5,18}\d\b/;
const label =
  /^(?:t|f|m|p|e|w|o|tel|tél|tlf|tfno|fon|fax|phone|mobile|mobil|cell|cel|móvil|handy|office|direct|e-?mail|mail|web|skype|whatsapp|telefon|telefono|téléphone|тел|моб|电话|電話|手机|邮箱|address|adresse)\.?\s?[:：.]\s?\S/iu;
const particles =
  /^(?:de|del|della|di|da|dos|das|do|van|von|der|den|ter|la|le|el|al|bin|ibn|y|e|af|zu|zur|und|and|&|\|)$/i;
const ideographs = /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}ー・\s　]{2,14}$/u;
/** Particles and verbs of sentences in scripts without spaces: a line with one of them is no name. */
const functionWords =
  /[的了是我你他她们們在不有这這那吗嗎吧呢请請把被很想だでをはがにも]|取消|退款|退货|收到|确认|確認|订单|訂單|です|ます|ました|ください|下さい/u;
/** The same, without those that occur in names of companies. */
const sentenceParticles =
  /[的了我你他她们們这這吗嗎吧呢请請把很想をがは]|取消|退款|退货|收到|确认|確認|订单|訂單|です|ます|ました|ください|下さい/u;
const notNames =
  /^(?:yes|no|ok|okay|sure|hi|hello|hey|dear|thanks|thank|please|done|great|good|nice|perfect|agreed|ja|nein|oui|non|sí|si|sim|да|нет|tak|nie|nej|ano|ne|是|否|好|好的|はい|いいえ|hallo|bonjour|hola|ciao|monday|tuesday|wednesday|thursday|friday|saturday|sunday)$/iu;
/** A full stop after one of these does not end a sentence. */
const abbreviation =
  /(?:^|[\s.])(?:\p{L}|inc|ltd|co|corp|llc|gmbh|bros|dr|prof|dipl|ing|mag|ph\.?d|jr|sr|str|st|ave|rd|no|nr|ul|tel|ext|dept|lda|ltda|s\.?a|s\.?l|s\.?r\.?l|s\.?p\.?a|b\.?v|n\.?v|a\.?s|s\.?r\.?o|o\.?o|bc|mgr|univ|assoc|assn|mrs?|ms)\.$/iu;
/** The last word of a line. */
const endCharactersMax = 20;
const nameCharactersMax = 45;
const requests = wordTest(allWords(requestWords));
const sentenceMarks = wordTest(allWords(sentenceWords));
const companyVoice = wordTest(allWords(companyWords));
const cues = wordTest(allWords(contactCues));
const isUnspaced = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u;

/** True for a line with an address, link or telephone number, or with a label of one. */
export function hasContact(line: string): boolean {
  const text = line.slice(0, ruleCharactersMax);
  return label.test(text) || contact.test(text) || telephone.test(text);
}

/** True for a line that asks for contact data or announces it: the data that follows is content. */
export function announcesContact(text: string): boolean {
  return cues.isIn(text.slice(0, ruleCharactersMax));
}

/**
 * True for a line that may be a person's name: a few capitalised words without a number. `isLax` accepts a single word in
 * lower case, for positions where only a name is expected.
 */
export function isNameLike(line: string, isLax: boolean): boolean {
  if (line.length > nameCharactersMax * 2) return false;
  const text = line
    .replace(/[*_]/g, '')
    .replace(/[.,!]+$/, '')
    .trim();
  if (text.length < 1 || text.length > nameCharactersMax || /[\d@/\\:;?!"<>=]|https?/.test(text))
    return false;
  if (ideographs.test(text)) return !notNames.test(text) && !functionWords.test(text);
  const words = text.split(' ').filter((word) => word !== '');
  if (words.length > 6 || notNames.test(words[0] ?? '') || requests.isIn(text)) return false;
  if (isLax && words.length === 1) return /^\p{L}[\p{L}\p{M}.'’-]*$/u.test(text);
  const parts = words.filter((word) => !particles.test(word));
  if (parts.length === 0 || parts.length > 5 || parts.at(-1) !== words.at(-1)) return false;
  return parts.every((word) => /^[(]?\p{Lu}[\p{L}\p{M}.,'’)-]*$/u.test(word)) && !/\p{Ll}{3}\.\s/u.test(text);
}

/** True for a line that asks for something: in doubt, what its author wants. */
export function isRequest(line: string): boolean {
  if (line.length < 4) return false;
  const text = line.slice(-ruleCharactersMax);
  if (/[?？]["'”’)]?$/u.test(text)) return /\p{L}{2}\s\p{L}/u.test(text) || isUnspaced.test(text);
  return requests.isIn(text);
}

/** True for a line that may be the title of a person or a sentence without a full stop. */
export function isUnclear(text: string): boolean {
  if (text.length > ruleCharactersMax) return false;
  return /\s\p{Ll}{2}/u.test(text) && !hasContact(text) && !isNameLike(text, false);
}

/** True for a sentence in which a company speaks of itself: a slogan if it follows contact data. */
export function isSlogan(text: string): boolean {
  return text.length <= ruleCharactersMax && !isRequest(text) && companyVoice.isIn(text);
}

function endsInFullStop(text: string): boolean {
  const end = text.slice(-endCharactersMax);
  return /[\p{L}\d]{2}[.!…]["'”’)]{0,3}$/u.test(end) && !abbreviation.test(end);
}

/** True for text that names, titles, addresses and contact data do not consist of. In doubt, true. */
export function isSentence(text: string): boolean {
  if (text.length > ruleCharactersMax || isRequest(text)) return true;
  if (isUnspaced.test(text)) {
    if (/[吗嗎呢吧了]$/u.test(text)) return true;
    return (/[。？！]$/u.test(text) || sentenceParticles.test(text)) && text.length > 4 && !label.test(text);
  }
  const words = text.split(' ');
  if (words.length > 14 && !/[|•·]/.test(text)) return true;
  if (words.length < 2 || /[|•·]/.test(text) || label.test(text)) return false;
  const lowerCase = words.filter((word) => /^\p{Ll}/u.test(word)).length;
  if (lowerCase >= 2 && words.length >= 3 && sentenceMarks.isIn(text)) return true;
  if (lowerCase > 0 && endsInFullStop(text)) {
    return !hasContact(text) || lowerCase * 2 > words.length;
  }
  return words.length > 5 && lowerCase * 2 > words.length && /^\p{Ll}/u.test(text) && !hasContact(text);
}
