/** Lines that no author types: footers of mail apps and lists, disclaimers. */
import {
  appFooterOpenings,
  appLines,
  devices,
  disclaimerHints,
  disclaimerReasons,
  disclaimerSubjects,
  listFooters,
} from './footer-words.ts';
import { alternatives, everyWord, wordPattern } from './languages.ts';

const footerCharactersMax = 110;
const footerWordsMax = 14;
const disclaimerCharactersMin = 60;

const opening = wordPattern(everyWord(appFooterOpenings), '^');
const device = wordPattern(devices.split(' | '));
const subject = new RegExp(alternatives(everyWord(disclaimerSubjects)), 'iu');
const reason = new RegExp(alternatives(everyWord(disclaimerReasons)), 'iu');
const hint = new RegExp(alternatives(everyWord(disclaimerHints)), 'giu');

/** "Sent from my iPhone", with or without a link behind it. A sentence that only begins like one has commas or goes on. */
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

/** The first line of what a mailing list, a tracker or a helpdesk appends. */
export function isListFooter(line: string): boolean {
  return listFooters.some((pattern) => pattern.test(line));
}

/** A paragraph that says for whom the message is and who must not read it. */
export function isDisclaimer(paragraph: string): boolean {
  if (!subject.test(paragraph.slice(0, 200))) return false;
  // Languages without blanks say the same in half the length.
  const isSpaced = paragraph.split(' ').length > 6;
  if (paragraph.length < (isSpaced ? disclaimerCharactersMin : disclaimerCharactersMin / 2)) return false;
  return reason.test(paragraph) || new Set(paragraph.toLowerCase().match(hint)).size >= 2;
}
