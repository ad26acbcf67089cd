/** Subject normalization: reply and forward prefixes by language. */
import { limits } from '../limits.ts';

/** Variants of `Re:`. `R:` is Italian; `VS:` counts as Finnish, although Danish programs forward with it. */
const replyWords = words(
  're rep rép aw antw antwort sv svar vs odp vá r rif res ynt ats atb bls',
  'отв ответ на απ σχετ תגובה השב رد ตอบ 回复 回覆 答复 答覆 回信 返信 답장 회신',
);

/** Variants of `Fwd:`. */
const forwardWords = words(
  'fwd fw wg tr rv enc i pd vb vl videresendt doorst továbbítás trs i̇lt ilt yml përc přeposláno',
  'пересл перенапр πρθ הועבר 转发 轉寄 轉發 転送 전달',
);

/**
 * One prefix at the current position: a word, an optional counter (`RE[2]`, `Re(3)`, `Re^2`), then a half-width or
 * full-width colon. Direction marks may precede it. All parts are bounded, so matching is linear.
 */
const prefix = /[\s\p{Cf}]*(\p{L}[\p{L}\p{M}]{0,11})(?:\s?[[(^]\d{1,4}[\])]?)?\s{0,3}[:：﹕]/uy;

interface Prefix {
  readonly kind: 'reply' | 'forward';
  /** Index after the prefix. */
  readonly end: number;
}

/**
 * The subject for comparison: reply and forward prefixes removed, white space collapsed, case folded. Empty if nothing
 * else is left.
 */
export function normalizeSubject(subject: string): string {
  // Normalized first, so that prefixes in full-width letters are found.
  const text = subject
    .normalize('NFKC')
    .replace(/\p{Cf}+/gu, '')
    .toLowerCase();
  let start = 0;
  for (let found = prefixAt(text, start); found !== null; found = prefixAt(text, start)) start = found.end;
  return text.slice(start).replace(/\s+/g, ' ').trim();
}

/** Whether the first prefix is a reply prefix. `Fwd: Re: …` is a forward. */
export function hasReplyPrefix(subject: string): boolean {
  return prefixAt(subject, 0)?.kind === 'reply';
}

/** The subject of a reply: adds `Re: ` unless it has a reply prefix in any language. */
export function replySubject(subject: string): string {
  return hasReplyPrefix(subject) ? subject : prefixed('Re: ', subject);
}

/** The subject of a forward: adds `Fwd: ` unless it has a forward prefix in any language. */
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

/** Adds a prefix within the length limit, without splitting a surrogate pair. */
function prefixed(added: string, subject: string): string {
  const text = `${added}${subject.trimStart()}`.trimEnd();
  return text.slice(0, limits.subjectCharacters).replace(/[\ud800-\udbff]$/, '');
}

function words(...lines: string[]): ReadonlySet<string> {
  return new Set(lines.join(' ').normalize('NFKC').split(' '));
}
