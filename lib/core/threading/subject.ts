/** Subjects across a conversation: which prefixes programs put in front, in the languages people write in. */
import { limits } from '../limits.ts';

/** `Re:` as programs write it. Single letters are Italian (`R:`); `VS` is Finnish here, though Danish uses it to forward. */
const replyWords = words(
  're rep rép aw antw antwort sv svar vs odp vá r rif res ynt ats atb bls',
  'отв ответ на απ σχετ תגובה השב رد ตอบ 回复 回覆 答复 答覆 回信 返信 답장 회신',
);

/** `Fwd:` as programs write it. */
const forwardWords = words(
  'fwd fw wg tr rv enc i pd vb vl videresendt doorst továbbítás trs i̇lt ilt yml përc přeposláno',
  'пересл перенапр πρθ הועבר 转发 轉寄 轉發 転送 전달',
);

/**
 * One prefix at the current position: a word, perhaps a counter (`RE[2]`, `Re(3)`, `Re^2`), then a colon of
 * half or full width. Invisible direction marks may stand before it. Bounded parts only, so that it runs in one pass.
 */
const prefix = /[\s\p{Cf}]*(\p{L}[\p{L}\p{M}]{0,11})(?:\s?[[(^]\d{1,4}[\])]?)?\s{0,3}[:：﹕]/uy;

interface Prefix {
  readonly kind: 'reply' | 'forward';
  /** Where what follows begins. */
  readonly end: number;
}

/**
 * The subject by which messages of one conversation are known: every reply and forward prefix taken off, white space
 * collapsed, case folded. Empty when nothing else was there; an empty subject tells nothing.
 */
export function normalizeSubject(subject: string): string {
  // Folded before the prefixes are sought, so that a prefix in letters of full width is one too.
  const text = subject
    .normalize('NFKC')
    .replace(/\p{Cf}+/gu, '')
    .toLowerCase();
  let start = 0;
  for (let found = prefixAt(text, start); found !== null; found = prefixAt(text, start)) start = found.end;
  return text.slice(start).replace(/\s+/g, ' ').trim();
}

/** Whether the outermost prefix is that of a reply. `Fwd: Re: …` is a forward: it begins a conversation with others. */
export function hasReplyPrefix(subject: string): boolean {
  return prefixAt(subject, 0)?.kind === 'reply';
}

/** The subject of a reply: `Re: ` before it, unless a reply prefix of any language is there already. */
export function replySubject(subject: string): string {
  return hasReplyPrefix(subject) ? subject : prefixed('Re: ', subject);
}

/** The subject of a forward: `Fwd: ` before it, unless a forward prefix of any language is there already. */
export function forwardSubject(subject: string): string {
  return prefixAt(subject, 0)?.kind === 'forward' ? subject : prefixed('Fwd: ', subject);
}

function prefixAt(subject: string, start: number): Prefix | null {
  prefix.lastIndex = start;
  const word = prefix.exec(subject)?.[1]?.normalize('NFKC').toLowerCase();
  if (word === undefined) return null;
  const end = prefix.lastIndex;
  if (replyWords.has(word)) return { kind: 'reply', end };
  return forwardWords.has(word) ? { kind: 'forward', end } : null;
}

/** A subject that was as long as allowed stays so; a character is never cut in half. */
function prefixed(lead: string, subject: string): string {
  const text = `${lead}${subject.trimStart()}`.trimEnd();
  return text.slice(0, limits.subjectCharacters).replace(/[\ud800-\udbff]$/, '');
}

function words(...lines: string[]): ReadonlySet<string> {
  return new Set(lines.join(' ').normalize('NFKC').split(' '));
}
