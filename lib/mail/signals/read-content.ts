/**
 * The content of a message as a person sees it, apart from what is hidden in it, with the signals about both. Linear, bounded,
 * without input or output.
 */
import { hostOf } from '../addresses/addresses.ts';
import { truncateText } from '../text/text-limits.ts';
import { instructionsIn } from './instructions.ts';
import { withoutInvisible } from './invisible.ts';
import { lettersOf, type ShownWords, shownWords } from './shown-words.ts';
import { boundedSignals, quoted, signal } from './signal.ts';
import type { Signal, SignalPlace } from './signal-codes.ts';
import { type HiddenText, type SplitHtml, splitHtml } from './split-html.ts';

export interface ContentMessage {
  readonly from: { readonly address: string } | null;
  readonly subject: string;
  readonly text: string | null;
  readonly html: string | null;
}

export interface ReadContent {
  readonly subject: string;
  /** The plain text part without what the html does not show; null: there is none, or it says something else than the html. */
  readonly text: string | null;
  /** The html without hidden parts. */
  readonly visibleHtml: string | null;
  /** Null where nothing is hidden. */
  readonly hiddenText: string | null;
  /** At most 20. */
  readonly signals: readonly Signal[];
}

const hiddenBytesMax = 64 * 1024;
/** Letters that say something: a number of a ticket and an empty frame do not. */
const sayingLettersMin = 25;
/** Newsletters begin with a hidden line that lists of mail show as a preview. */
const previewCharactersMax = 250;
/** Share of a text above which another text says the same. */
const sameShare = 0.5;
const differentShare = 0.1;
const comparedLettersMin = 100;

/** Reads the content of a message. */
export async function readContent(message: ContentMessage): Promise<ReadContent> {
  const html = message.html === null ? null : splitHtml(message.html);
  const plain = message.text === null ? null : withoutInvisible(message.text);
  const subject = withoutInvisible(message.subject);
  const shown = html && withoutInvisible(html.shown);
  const source = html && withoutInvisible(withPlainCharacters(html.visible));
  const hidden = (html?.hidden ?? []).map((one) => ({ ...one, text: withoutTags(one.text) }));
  const compared = shown && shownWords(shown.text);
  const part =
    plain && html && compared
      ? comparePart(plain.text, compared, hidden)
      : { text: plain?.text ?? null, unseen: [] };
  const said = [...new Set([plain, subject, shown].flatMap((one) => one?.said ?? []))];
  const hiddenTexts = [...new Set([...hidden.map(({ text }) => text), ...part.unseen, ...said])].filter(
    (text) => text !== '',
  );
  const hiddenText = hiddenTexts.length === 0 ? null : truncateText(hiddenTexts.join('\n'), hiddenBytesMax);
  const visible = part.text ?? shown?.text ?? '';
  const signals = [
    ...hiddenSignals(hidden, compared, part),
    ...invisibleSignals([
      ['subject', subject.found],
      ['text', plain?.found ?? []],
      ['html', shown?.found ?? []],
    ]),
    ...instructionSignals([
      ['subject', subject.text],
      ['text', shown && part.text ? `${part.text}\n\n${shown.text}` : visible],
      ['hidden_text', hiddenText ?? ''],
    ]),
    ...(html ? await ofLinks(html, message) : []),
  ];
  return {
    subject: subject.text,
    text: part.text,
    visibleHtml: source?.text ?? null,
    hiddenText,
    signals: boundedSignals(signals),
  };
}

/** The list of public suffixes is loaded for mail with links only. */
async function ofLinks({ links }: SplitHtml, { from }: ContentMessage): Promise<Signal[]> {
  if (links.length === 0) return [];
  const [{ linkSignals }, { registeredDomain }] = await Promise.all([
    import('./links.ts'),
    import('./lookalike.ts'),
  ]);
  return linkSignals(links, registeredDomain(hostOf(from?.address ?? '')));
}

/** Tags and variation selectors written as numeric references become characters. */
function withPlainCharacters(html: string): string {
  return html.replace(/&#(?:x0{0,6}(e0[01][0-9a-f]{2})|0{0,6}(91[78]\d{3}));?/gi, (_match, hex, decimal) =>
    String.fromCodePoint(hex ? Number.parseInt(hex, 16) : Number(decimal)),
  );
}

function withoutTags(text: string): string {
  const { text: clean, said } = withoutInvisible(text);
  const plain = clean
    .replace(/(?:\u00ad|\u034f|[\u200b-\u200f\u2060-\u2064\ufeff\u2007])+/g, '')
    .replace(/[ \u00a0]{2,}/g, ' ')
    .trim();
  return [plain, ...said].filter((one) => one !== '').join('\n');
}

interface ComparedPart {
  readonly text: string | null;
  /** Lines that only the plain text part has. */
  readonly unseen: readonly string[];
  readonly isOther?: boolean;
}

/** The plain text part without what the html hides, and without instructions that the html does not show. */
function comparePart(text: string, compared: ShownWords, hidden: readonly HiddenText[]): ComparedPart {
  const words = withoutAddresses(text);
  const isLong = compared.letters >= comparedLettersMin && lettersOf(words).length >= comparedLettersMin;
  if (isLong && compared.share(words) < differentShare) {
    return { text: null, unseen: [text.trim()], isOther: true };
  }
  const inHidden = hidden.length === 0 ? null : shownWords(hidden.map((one) => one.text).join('\n'));
  const instructions = instructionsIn(text).map(lettersOf);
  if (inHidden === null && instructions.length === 0) return { text, unseen: [] };
  const unseen: string[] = [];
  const kept = text.split('\n').filter((line) => {
    const letters = lettersOf(line);
    if (letters.length < 12 || compared.share(line) >= sameShare) return true;
    const isUnseen =
      (inHidden?.share(line) ?? 0) >= 0.8 ||
      instructions.some((one) => one.includes(letters) || letters.includes(one));
    if (isUnseen) unseen.push(line.trim());
    return !isUnseen;
  });
  return { text: unseen.length === 0 ? text : kept.join('\n').trim(), unseen };
}

const withoutAddresses = (text: string): string => text.replace(/https?:\/\/\S+|<[^<>\s]{1,2000}>/g, ' ');

function hiddenSignals(
  hidden: readonly HiddenText[],
  compared: ShownWords | null,
  part: ComparedPart,
): Signal[] {
  const saying = hidden.filter((one) => isSaying(one, compared));
  const first = new Map(saying.toReversed().map((one) => [one.by, one]));
  const ofHtml = [...first.values()]
    .reverse()
    .map(({ by, text }) => signal('hidden_text', 'html', `Text that ${by}: ${quoted(text)}`));
  const [line] = part.unseen;
  const isNew = line !== undefined && saying.every(({ text }) => !lettersOf(text).includes(lettersOf(line)));
  if (!isNew || (part.isOther !== true && instructionsIn(line).length === 0)) return ofHtml;
  return [
    ...ofHtml,
    signal('hidden_text', 'text', `The plain text part says what the html does not show: ${quoted(line)}`),
  ];
}

/** Whether a hidden text says something that the message does not show, and is no preview line. */
function isSaying({ text, isFirst }: HiddenText, compared: ShownWords | null): boolean {
  if (instructionsIn(text).length > 0) return true;
  const letters = lettersOf(text);
  // An ideograph or syllable says as much as three letters.
  const weight =
    letters.length + 2 * (letters.match(/[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]/g)?.length ?? 0);
  if (weight < sayingLettersMin || (isFirst && text.length <= previewCharactersMax)) return false;
  return (compared?.share(text) ?? 0) < sameShare;
}

function invisibleSignals(places: readonly (readonly [SignalPlace, readonly string[]])[]): Signal[] {
  const seen = new Set<string>();
  return places.flatMap(([place, found]) =>
    found.flatMap((what) => {
      if (seen.has(what)) return [];
      seen.add(what);
      return [signal('invisible_characters', place, `The message has ${what}.`)];
    }),
  );
}

function instructionSignals(places: readonly (readonly [SignalPlace, string])[]): Signal[] {
  const seen = new Set<string>();
  return places.flatMap(([place, text]) =>
    instructionsIn(text).flatMap((sentence) => {
      const letters = lettersOf(sentence);
      if (seen.has(letters)) return [];
      seen.add(letters);
      return [
        signal(
          'instruction_like_text',
          place,
          `A sentence that instructs a model instead of a person: ${quoted(sentence)}`,
        ),
      ];
    }),
  );
}
