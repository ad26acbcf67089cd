/** Subject normalization: prefixes of replies and forwards by language, and tags of gateways and lists. */
import { autoReplyPhrases } from '../category/auto-reply-phrases.ts';

/** Variants of `Re:`. `R:` is Italian; `VS:` counts as Finnish, although Danish programs forward with it. */
const replyWords = words(
  're rep rép réf aw antw antwort sv svar vs odp vá r rif res ynt ats atb bls',
  'отв ответ на απ σχετ תגובה השב رد ตอบ 回复 回覆 答复 答覆 回信 返信 답장 회신',
);

/** Variants of `Fwd:`. */
const forwardWords = words(
  'fwd fw wg tr rv enc i pd vb vl videresendt doorst továbbítás trs i̇lt ilt yml përc přeposláno',
  'пересл перенапр πρθ הועבר 转发 轉寄 轉發 転送 전달',
);

/** Forward prefixes with which people also answer. */
const answeringForwardWords = words('tr');

/** Words by which gateways mark mail from outside, with a colon (`EXT:`) or in brackets. */
const outsideWords = words(
  'ext extern external externe externo externer esterno extérieur zewnętrzny внешнее 外部',
);

/** Words by which gateways mark suspicious mail, in brackets. */
const suspicionWords = words('caution warning suspicious suspect phishing spam spam? bulk');
/** Words of a gateway's tag; a longer one is a remark of a person. */
const gatewayWordsMax = 6;

/**
 * One prefix at the current position: a word, an optional full stop, an optional counter (`RE[2]`, `Re(3)`, `Re^2`),
 * then a half-width or full-width colon. Direction marks may precede it. All parts are bounded, so matching is linear.
 */
const prefix = /[\s\p{Cf}]*(\p{L}[\p{L}\p{M}]{0,11})\.?(?:\s?[[(^]\d{1,4}[\])]?)?\s{0,3}[:：﹕]/uy;

/** `Automatic reply:`, also `Out of Office AutoReply:`. */
const autoReply = new RegExp(`[\\s\\p{Cf}]*(?:(?:${autoReplyPhrases.join('|')})\\s{0,3}){1,2}[:：﹕]`, 'iuy');

/** A tag at the current position: `[…]`, `{…}`, `(…)` or `***…***`. */
const tag =
  /[\s\p{Cf}]*(?:\[([^[\]]{1,60})\]|\{([^{}]{1,60})\}|\(([^()]{1,60})\)|\*{2,5}([^*]{1,60})\*{2,5})/uy;

type PrefixKind = 'reply' | 'auto-reply' | 'forward' | 'answering-forward' | 'gateway';

interface Prefix {
  readonly kind: PrefixKind;
  /** Index after the prefix. */
  readonly end: number;
}

/** A subject without its prefixes. */
interface BareSubject {
  /** The kind of the first prefix that is no tag; null if there is none. */
  readonly kind: Exclude<PrefixKind, 'gateway'> | null;
  /** Tags in square brackets that do not come from a gateway, such as the name of a list; each once. */
  readonly tags: readonly string[];
  /** The rest, in lower case, with single spaces. */
  readonly text: string;
}

/**
 * The subject for comparison: prefixes of replies and forwards and tags of gateways (`[EXTERNAL]`) removed, white space
 * collapsed, case folded. Other leading tags stay. Empty if nothing else is left.
 */
export function normalizeSubject(subject: string): string {
  const { tags, text } = bareSubject(subject);
  return [...tags, text].join(' ').trim();
}

/**
 * The normalized subjects of threads that an answer may join: its own, and the one without its tags. A tag with a digit,
 * such as a ticket's number, must be in both. An empty subject joins none.
 */
export function answeredSubjects(answer: string): string[] {
  const { tags, text } = bareSubject(answer);
  const withoutTags = tags.some((one) => /\d/.test(one)) ? [] : [text];
  return [...new Set([normalizeSubject(answer), ...withoutTags])].filter((subject) => subject !== '');
}

/** Whether an answer's subject is that of a thread. */
export function isSameSubject(answer: string, thread: string): boolean {
  return answeredSubjects(answer).includes(normalizeSubject(thread));
}

/** Whether the first prefix is a reply prefix; tags may precede it. `Fwd: Re: …` is a forward. */
export function hasReplyPrefix(subject: string): boolean {
  return bareSubject(subject).kind === 'reply';
}

/** Whether a message with this subject may answer another: a reply prefix, an automatic reply, or `TR:`. */
export function isAnswerSubject(subject: string): boolean {
  const { kind } = bareSubject(subject);
  return kind !== null && kind !== 'forward';
}

/** The subject of a reply: adds `Re: ` unless it has a reply prefix in any language. */
export function replySubject(subject: string): string {
  return hasReplyPrefix(subject) ? subject : prefixed('Re: ', subject);
}

/** The subject of a forward: adds `Fwd: ` unless it has a forward prefix in any language. */
export function forwardSubject(subject: string): string {
  const { kind } = bareSubject(subject);
  return kind === 'forward' || kind === 'answering-forward' ? subject : prefixed('Fwd: ', subject);
}

function bareSubject(subject: string): BareSubject {
  // Normalized first, so that prefixes in full-width letters are found.
  const whole = subject
    .normalize('NFKC')
    .replace(/\p{Cf}+/gu, '')
    .toLowerCase()
    .replace(/\s+/g, ' ')
    .trim();
  let kind: BareSubject['kind'] = null;
  const tags = new Set<string>();
  for (let start = 0; ; ) {
    const found = prefixAt(whole, start) ?? tagAt(whole, start);
    if (found === null) return { kind, tags: [...tags], text: whole.slice(start).trim() };
    if (found.kind === 'list') tags.add(found.text);
    else if (found.kind !== 'gateway') kind ??= found.kind;
    start = found.end;
  }
}

function prefixAt(subject: string, start: number): Prefix | null {
  const automatic = matchAt(autoReply, subject, start);
  if (automatic) return { kind: 'auto-reply', end: start + automatic[0].length };
  const found = matchAt(prefix, subject, start);
  const word = found?.[1]?.normalize('NFKC');
  if (!found || word === undefined) return null;
  const end = start + found[0].length;
  if (replyWords.has(word)) return { kind: 'reply', end };
  if (answeringForwardWords.has(word)) return { kind: 'answering-forward', end };
  if (forwardWords.has(word)) return { kind: 'forward', end };
  return outsideWords.has(word) ? { kind: 'gateway', end } : null;
}

/** Of tags in other than square brackets, only those of a gateway count. */
function tagAt(
  subject: string,
  start: number,
): { readonly kind: 'gateway' | 'list'; readonly text: string; readonly end: number } | null {
  const found = matchAt(tag, subject, start);
  if (!found) return null;
  const end = start + found[0].length;
  const content = found.slice(1).find((group) => group !== undefined) ?? '';
  const contentWords = content.split(/[\s:!-]+/).filter((word) => word !== '');
  const first = contentWords[0] ?? '';
  const isGateway = outsideWords.has(first) || suspicionWords.has(first);
  if (isGateway && contentWords.length <= gatewayWordsMax) return { kind: 'gateway', text: '', end };
  return found[1] === undefined ? null : { kind: 'list', text: `[${content}]`, end };
}

function matchAt(expression: RegExp, subject: string, start: number): RegExpExecArray | null {
  expression.lastIndex = start;
  return expression.exec(subject);
}

/** A line has at most 998 characters (RFC 5322, 2.1.1). */
const subjectCharactersMax = 998;

/** Adds a prefix within the length limit, without splitting a surrogate pair. */
function prefixed(added: string, subject: string): string {
  const text = `${added}${subject.trimStart()}`.trimEnd();
  return text.slice(0, subjectCharactersMax).replace(/[\ud800-\udbff]$/, '');
}

function words(...lines: string[]): ReadonlySet<string> {
  return new Set(lines.join(' ').normalize('NFKC').split(' '));
}
