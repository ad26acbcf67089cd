/** Owns the recognition of names, contact data and sentences in single lines. */
import { allWords, wordTest } from './languages.ts';
import {
  additionOpenings,
  companyWords,
  contactChanges,
  contactCues,
  requestWords,
  sentenceWords,
} from './sentence-words.ts';
import { ruleCharactersMax } from './text-document.ts';

const contact =
  /[^\s<>@]@[^\s<>@]+\.\w|https?:\/\/|\bwww\.|(?:^|\s)[a-z0-9-]+\.(?:com|net|org|io|de|fr|eu|co\.uk|ru|pl|cz|se|no|dk|nl|it|es|br|cn|jp)\b/iu;
const telephone = /(?:\+|\(|\b)\d[\d\s().\-/]{5,18}\d\b/;
const label =
  /^(?:t|f|m|p|e|w|o|tel|tél|tlf|tfno|fon|fax|phone|mobile|mobil|cell|cel|móvil|handy|office|direct|e-?mail|mail|web|skype|whatsapp|telefon|telefono|téléphone|тел|моб|电话|電話|手机|邮箱|address|adresse|puh|gsm|cím|טל|טלפון|נייד|פקס|דוא"ל|هاتف|جوال|فاكس|بريد|전화|휴대폰|팩스|이메일)\.?\s?[:：.]\s?\S/iu;
const particles =
  /^(?:de|del|della|di|da|dos|das|do|van|von|der|den|ter|la|le|el|al|bin|ibn|y|e|af|zu|zur|und|and|&|\|)$/i;
const ideographs = /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}ー・\s　]{2,14}$/u;
/** Particles and verbs of sentences in scripts without spaces: a line with one of them is no name. */
const functionWords =
  /[的了是我你他她们們在不有这這那吗嗎吧呢请請把被很想だでをはがにも]|取消|退款|退货|收到|确认|確認|订单|訂單|です|ます|ました|ください|下さい/u;
/** Endings of Korean verbs, and particles that names lack. */
const koreanSentence =
  /\p{Script=Hangul}(?:니다|니까|시오|세요|[어아해네군까지이예에려래]요|를|에서|에게|부터|까지)(?=[\s.,!?~]|$)/u;
/** The same, without those that occur in names of companies. */
const sentenceParticles =
  /[的了我你他她们們这這吗嗎吧呢请請把很想をがは]|取消|退款|退货|收到|确认|確認|订单|訂單|です|ます|ました|ください|下さい/u;
/** Words that answer or greet, and names of days. */
export const notNames =
  /^(?:yes|no|ok|okay|sure|hi|hello|hey|dear|thanks|thank|please|done|great|good|nice|perfect|agreed|ja|nein|oui|non|sí|si|sim|да|нет|tak|nie|nej|ano|ne|是|否|好|好的|はい|いいえ|hallo|bonjour|hola|ciao|monday|tuesday|wednesday|thursday|friday|saturday|sunday|כן|לא|טוב|בסדר|מעולה|מצוין|שלום|היי|نعم|لا|حسنا|حسناً|تمام|موافق|ممتاز|مرحبا|مرحباً|أهلا|السلام|네|예|아니요|아니오|내일|오늘|안녕하세요|kyllä|joo|ei|hei|moi|selvä|hyvä|igen|nem|rendben|szia|helló|persze)$/iu;
/** A full stop after one of these does not end a sentence. */
const abbreviation =
  /(?:^|[\s.])(?:\p{L}|inc|ltd|co|corp|llc|gmbh|bros|dr|prof|dipl|ing|mag|ph\.?d|jr|sr|str|st|ave|rd|no|nr|ul|tel|ext|dept|lda|ltda|s\.?a|s\.?l|s\.?r\.?l|s\.?p\.?a|b\.?v|n\.?v|a\.?s|s\.?r\.?o|o\.?o|bc|mgr|univ|assoc|assn|mrs?|ms)\.$/iu;
/** The last word of a line. */
const endCharactersMax = 20;
/** "1011 Budapest, Fő utca 12." */
const addressLine = /^\d{4,6}\s\p{Lu}[\p{L}-]{1,20},\s.{1,40}\d{1,4}\.$/u;
const nameCharactersMax = 45;
const requests = wordTest([...allWords(requestWords), ...allWords(contactChanges)]);
const additions = wordTest(allWords(additionOpenings));
const sentenceMarks = wordTest(allWords(sentenceWords));
const companyVoice = wordTest(allWords(companyWords));
const cues = wordTest(allWords(contactCues));
const isUnspaced = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u;
/** Scripts with spaces between words, but without upper case. */
const isCaseless = /[\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Hangul}]/u;
const caselessWord =
  /^[(]?[\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Hangul}][\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Hangul}\p{M}.,'’"”)-]*$/u;
const capitalised = /^[(]?\p{Lu}[\p{L}\p{M}.,'’)-]*$/u;
const caselessNameWordsMax = 4;

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
  if (ideographs.test(text))
    return !notNames.test(text) && !functionWords.test(text) && !koreanSentence.test(text);
  const words = text.split(' ').filter((word) => word !== '');
  if (words.length > 6 || notNames.test(words[0] ?? '') || requests.isIn(text)) return false;
  if (isLax && words.length === 1) return /^\p{L}[\p{L}\p{M}.'’-]*$/u.test(text);
  const parts = words.filter((word) => !particles.test(word));
  if (parts.length === 0 || parts.length > 5 || parts.at(-1) !== words.at(-1)) return false;
  if (isCaseless.test(text)) return words.length <= caselessNameWordsMax && isCaselessName(line, parts);
  return parts.every((word) => capitalised.test(word)) && !/\p{Ll}{3}\.\s/u.test(text);
}

/** True for a name that no words of a sentence resemble: without upper case, two words may be either. */
export function isCertainName(line: string, isLax: boolean): boolean {
  return isNameLike(line, isLax) && !isCaseless.test(line);
}

/** True for words in a script without upper case that may be a name or a short sentence. */
export function mayBeSentence(line: string): boolean {
  return isCaseless.test(line) && /\S\s\S/.test(line) && !hasContact(line);
}

/** Without upper case, words of sentences are the only sign that a few words are no name. */
function isCaselessName(line: string, words: readonly string[]): boolean {
  if (sentenceMarks.isIn(line) || koreanSentence.test(line)) return false;
  if (words.length > 1 && /[.!]$/.test(line)) return false;
  return words.every((word) => caselessWord.test(word) || capitalised.test(word));
}

/** True for a line that asks for something: in doubt, what its author wants. */
export function isRequest(line: string): boolean {
  if (line.length < 4) return false;
  const text = line.slice(-ruleCharactersMax);
  if (/[?？؟]["'”’)]?$/u.test(text))
    return /\p{L}{2}\s\p{L}|\p{Script=Hangul}{2}/u.test(text) || isUnspaced.test(text);
  return requests.isIn(text) || (additions.begins(text) && /\S\s\S+\s\S|[^\p{ASCII}]{5}/u.test(text));
}

/** True for a line that may be the title of a person or a sentence without a full stop. */
export function isUnclear(text: string): boolean {
  if (text.length > ruleCharactersMax) return false;
  return (
    /\s[\p{Ll}\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Hangul}]{2}/u.test(text) &&
    !hasContact(text) &&
    !isNameLike(text, false)
  );
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
  if (isCaseless.test(text)) return isCaselessSentence(text);
  const words = text.split(' ');
  if (words.length > 14 && !/[|•·]/.test(text)) return true;
  if (words.length < 2 || /[|•·]/.test(text) || label.test(text)) return false;
  if (addressLine.test(text)) return false;
  const lowerCase = words.filter((word) => /^\p{Ll}/u.test(word)).length;
  if (lowerCase >= 2 && words.length >= 3 && sentenceMarks.isIn(text)) return true;
  if (lowerCase > 0 && endsInFullStop(text)) {
    return !hasContact(text) || lowerCase * 2 > words.length;
  }
  return words.length > 5 && lowerCase * 2 > words.length && /^\p{Ll}/u.test(text) && !hasContact(text);
}

function isCaselessSentence(text: string): boolean {
  const words = text.split(' ').length;
  if (/[|•·]/.test(text) || label.test(text)) return false;
  if (koreanSentence.test(text) || (words >= 3 && sentenceMarks.isIn(text))) return true;
  if (hasContact(text)) return words > 14;
  return words > 5 || (words >= 2 && endsInFullStop(text));
}
