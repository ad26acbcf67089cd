/** Owns the recognition of generated lines: footers of mail apps and mailing lists, disclaimers. */
import {
  apologies,
  appEndings,
  appFooterOpenings,
  appLines,
  appLinesByEnd,
  bannerAdvice,
  bannerMarks,
  bannerOrigins,
  bannerSequels,
  devices,
  disclaimerHeadings,
  disclaimerHints,
  disclaimerReasons,
  disclaimerSubjects,
  listFooters,
  rareSenderLinks,
  rareSenderTips,
  registrations,
} from './footer-words.ts';
import { allWords, alternatives, wordTest } from './languages.ts';
import { ruleCharactersMax, trimCharacters } from './text-document.ts';

const footerCharactersMax = 160;
const footerWordsMax = 14;
/** Longer than every ending of an app footer. */
const endingCharactersMax = 10;
const disclaimerCharactersMin = 60;
const bannerCharactersMin = 20;
const markCharactersMax = 60;
const bannerCharactersMax = 600;

/** ", an AT&T 5G smartphone": Samsung names the network. */
const carrier = /, an? \S.{0,40}$/iu;
/** A possessive and a capitalised product name: "my Wiko VIEW2". */
const brand =
  /\s(?:my|meinem|meiner|mon|ma|mi|meu|minha|mio|mia|mijn|mojego|mojej|min|mitt|mého|mé|моего|моей)\s(?:i?\p{Lu})[\p{L}\d-]*(?:\s[\p{Lu}\d][\p{L}\d+-]*){0,3}[.!]?$/u;
/** "ann@a.example 에서 …" */
const addressFirst = /^[^\s@]{1,60}@\S{3,60}\s?(?:에서|からの)/u;
/** All patterns in one: a third of the time. */
const appLine = new RegExp(appLines.map(({ source }) => `(?:${source})`).join('|'), 'iu');
/** Every one of `appLines` needs a word of these two: decides for most lines. */
const appLineWords = /outlook|送信|용\s/i;
const appLineOpenings =
  /^(?:diese|vo[nm]|get|download|powered|please|excuse|pardon|forgive|via|vir|sin|garanti|livre|privo)/i;
const listFooter = new RegExp(listFooters.map(({ source }) => `(?:${source})`).join('|'), 'iu');
const headings = new Set(allWords(disclaimerHeadings));
const opening = wordTest(allWords(appFooterOpenings));
const device = wordTest(devices.split(' | '));
// Tested on lower-case text: half the time of a search that ignores case.
const subject = new RegExp(alternatives(allWords(disclaimerSubjects)));
const reason = new RegExp(alternatives(allWords(disclaimerReasons)));
const hint = new RegExp(alternatives(allWords(disclaimerHints)), 'g');

/** "Sent from my iPhone", with or without a link. False for sentences that begin like one: they have commas or continue. */
export function isAppFooter(line: string): boolean {
  if (line.length > ruleCharactersMax) return false;
  const text = (line.includes('http') ? line.replace(/\s?[<([]\s?https?:\S*[>)\]]?/g, '') : line)
    .replace(/^[-–—*_(<[\s]+/, '')
    .replace(/(?<![)>\]])[)>\]]+$/, '')
    .trim();
  if (text.length < 4 || text.length > footerCharactersMax) return false;
  if ((appLineWords.test(text) || appLineOpenings.test(text)) && appLine.test(text)) return true;
  if (appEndings.test(text.slice(-endingCharactersMax)) && appLinesByEnd.some((one) => one.test(text)))
    return true;
  if (!opening.begins(text)) return false;
  const first = withoutApology(text);
  if (/[,;?]\s|[.!]\s\S/u.test(first.replace(carrier, '')) || first.split(' ').length > footerWordsMax)
    return false;
  return device.isIn(first) || brand.test(first);
}

/** "Sent from my phone. Please excuse my brevity." without the second sentence. */
function withoutApology(text: string): string {
  const stop = text.search(/[.!]\s/u);
  return stop > 0 && apologies.some((apology) => apology.test(text.slice(stop + 2)))
    ? text.slice(0, stop)
    : text;
}

/** True for a heading right above a disclaimer. */
export function isDisclaimerHeading(line: string): boolean {
  return line.length < 60 && headings.has(trimCharacters(line.toLowerCase(), '*_-–—=#: .!'));
}

/** True for lines in which a mail gateway warns of mail from outside. */
export function isGatewayBanner(text: string): boolean {
  if (text.length < bannerCharactersMin || text.length > bannerCharactersMax) return false;
  return mayHoldGatewayBanner(text) && bannerOrigins.some((origin) => origin.test(text));
}

/** False for a text of which no part is a warning: decides for most. */
export function mayHoldGatewayBanner(text: string): boolean {
  return bannerAdvice.test(text.slice(0, ruleCharactersMax));
}

/** True for a line that is a mark of a mail gateway and nothing else: "[EXTERNAL]". */
export function isGatewayMark(line: string): boolean {
  return line.length <= markCharactersMax && bannerMarks.test(line);
}

/** True for a line that continues the warning of a mail gateway. */
export function isBannerSequel(line: string): boolean {
  return line.length <= bannerCharactersMax && bannerSequels.test(line);
}

/** True for Exchange's tip on a sender who writes rarely. @param shown the line with link targets */
export function isRareSenderTip(line: string, shown: string): boolean {
  if (line.length > bannerCharactersMax) return false;
  if (rareSenderLinks.test(shown.slice(0, bannerCharactersMax))) return true;
  const address = line.search(/[^\s<>@]@[^\s<>@]/);
  if (address < 0 || !rareSenderTips.some((tip) => tip.test(line))) return false;
  return addressFirst.test(line) || /^\S+?(?:[.。]?$|[.。]\s)/u.test(line.slice(address));
}

/** True for the first line of what a mailing list, an issue tracker or a help desk appends. */
export function isListFooter(line: string): boolean {
  return line.length <= ruleCharactersMax && listFooter.test(line);
}

/** True for a paragraph that restricts who may read the message. */
export function isDisclaimer(text: string): boolean {
  // Languages without spaces need half the length.
  if (text.length < disclaimerCharactersMin / 2) return false;
  const isSpaced = text.split(' ', 7).length > 6;
  if (isSpaced && text.length < disclaimerCharactersMin) return false;
  const paragraph = text.slice(0, ruleCharactersMax).toLowerCase();
  if (!subject.test(paragraph.slice(0, 200))) return false;
  return reason.test(paragraph) || new Set(paragraph.match(hint)).size >= 2;
}

/** True for lines in which a company says where it is registered: each says something of it, together two things. */
export function isRegistration(lines: readonly string[]): boolean {
  const found = new Set<RegExp>();
  for (const line of lines) {
    const text = line.slice(0, ruleCharactersMax);
    const said = registrations.filter((one) => one.test(text));
    if (said.length === 0) return false;
    for (const one of said) found.add(one);
  }
  return found.size >= 2;
}
