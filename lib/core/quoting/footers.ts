/** Owns the recognition of generated lines: footers of mail apps and mailing lists, disclaimers. */
import {
  appFooterOpenings,
  appLines,
  devices,
  disclaimerHints,
  disclaimerReasons,
  disclaimerSubjects,
  listFooters,
} from './footer-words.ts';
import { allWords, alternatives, wordPattern } from './languages.ts';

const footerCharactersMax = 110;
const footerWordsMax = 14;
const disclaimerCharactersMin = 60;

const opening = wordPattern(allWords(appFooterOpenings), '^');
const device = wordPattern(devices.split(' | '));
const subject = new RegExp(alternatives(allWords(disclaimerSubjects)), 'iu');
const reason = new RegExp(alternatives(allWords(disclaimerReasons)), 'iu');
const hint = new RegExp(alternatives(allWords(disclaimerHints)), 'giu');

/** "Sent from my iPhone", with or without a link. False for sentences that begin like one: they have commas or continue. */
export function isAppFooter(line: string): boolean {
  const text = line
    .replace(/\s?[<([]\s?https?:\S*[>)\]]?/g, '')
    .replace(/^[-–—*_\s]+/, '')
    .trim();
  if (text.length < 4 || text.length > footerCharactersMax) return false;
  if (appLines.some((pattern) => pattern.test(text))) return true;
  if (!opening.test(text) || !device.test(text)) return false;
  return !/[,;?]\s|[.!]\s\S/u.test(text) && text.split(' ').length <= footerWordsMax;
}

/** True for the first line of what a mailing list, an issue tracker or a help desk appends. */
export function isListFooter(line: string): boolean {
  return listFooters.some((pattern) => pattern.test(line));
}

/** True for a paragraph that restricts who may read the message. */
export function isDisclaimer(paragraph: string): boolean {
  if (!subject.test(paragraph.slice(0, 200))) return false;
  // Languages without spaces need half the length.
  const isSpaced = paragraph.split(' ').length > 6;
  if (paragraph.length < (isSpaced ? disclaimerCharactersMin : disclaimerCharactersMin / 2)) return false;
  return reason.test(paragraph) || new Set(paragraph.toLowerCase().match(hint)).size >= 2;
}
