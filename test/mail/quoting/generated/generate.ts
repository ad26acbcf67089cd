/** Owns the composition of replies and forwards from phrases, with the text that stripping must return. */
import type { Language } from '../../../../lib/mail/quoting/languages.ts';
import { allLanguages } from './all-languages.ts';
import { htmlClients } from './html-clients.ts';
import type { ReplyPhrases } from './phrases.ts';

/** `development` phrases may guide the rules; `heldOut` phrases only measure them. */
export type ReplySet = 'development' | 'heldOut';

export interface GeneratedReply {
  readonly language: Language;
  readonly client: string;
  readonly kind: 'reply' | 'forward';
  readonly format: 'text' | 'html';
  readonly body: string;
  /** The text that its author wrote. */
  readonly written: string;
}

interface Ending {
  /** The signature below the body. */
  readonly text: string;
}

const wrapColumn = 72;

/** Every reply of a set, in a fixed order. */
export function generateReplies(set: ReplySet): GeneratedReply[] {
  return allLanguages.flatMap((phrases) => {
    const own = pick(phrases, set);
    return [...textReplies(own), ...textForwards(own), ...htmlReplies(own, set)];
  });
}

interface SetPhrases {
  readonly language: Language;
  readonly author: string;
  readonly sender: string;
  readonly address: string;
  readonly greetings: readonly string[];
  readonly bodies: readonly string[];
  readonly endings: readonly Ending[];
  readonly quotes: readonly string[];
  readonly attributions: ReplyPhrases['attributions'];
  readonly headers: ReplyPhrases['headers'];
  readonly forwards: ReplyPhrases['forwards'];
}

function pick(phrases: ReplyPhrases, set: ReplySet): SetPhrases {
  const parity = set === 'development' ? 0 : 1;
  const half = <T>(list: readonly T[]): T[] => list.filter((_, index) => index % 2 === parity);
  const author = phrases.authors[parity];
  const sender = phrases.senders[parity];
  const address = parity === 0 ? 'support@a.example' : 'service.desk@longer-name.a.example';
  const fill = (list: ReplyPhrases['headers']): ReplyPhrases['headers'] =>
    half(list).map(([client, text]) => [
      client,
      text.replaceAll('{name}', sender).replaceAll('{address}', address),
    ]);
  return {
    language: phrases.language,
    author,
    sender,
    address,
    greetings: half(phrases.greetings),
    bodies: half(phrases.bodies),
    endings: endings(author, half(phrases.closings), half(phrases.contacts), half(phrases.footers)),
    quotes: half(phrases.quotes),
    attributions: fill(phrases.attributions),
    headers: fill(phrases.headers),
    forwards: fill(phrases.forwards),
  };
}

function endings(author: string, closings: string[], contacts: string[], footers: string[]): Ending[] {
  const first = author.split(' ')[0] ?? author;
  return [
    '',
    ...closings.map((closing, index) => `${closing}\n${index % 2 === 0 ? author : first}`),
    ...contacts.map((contact, index) => `${closings[index % closings.length]}\n\n${author}\n${contact}`),
    ...contacts.map((contact) => `-- \n${author}\n${contact}`),
    ...footers,
    ...footers.map((footer, index) => `${closings[index % closings.length]}\n${first}\n\n${footer}`),
  ].map((text) => ({ text }));
}

/** Combines each header with each ending, rotating through greetings, bodies and quotes. */
function* combine(
  phrases: SetPhrases,
  headers: ReplyPhrases['headers'],
): Generator<{ client: string; header: string; written: string; answer: string; quote: string }> {
  let turn = 0;
  for (const [client, header] of headers) {
    for (const { text } of phrases.endings) {
      turn++;
      const body = phrases.bodies[turn % phrases.bodies.length] ?? '';
      const greeting = phrases.greetings[turn % phrases.greetings.length] ?? '';
      const written = turn % 3 === 0 ? body : `${greeting}\n\n${body}`;
      const quote = phrases.quotes[turn % phrases.quotes.length] ?? '';
      yield { client, header, written, answer: text === '' ? written : `${written}\n\n${text}`, quote };
    }
  }
}

function textReplies(phrases: SetPhrases): GeneratedReply[] {
  const replies: GeneratedReply[] = [];
  const add = (client: string, written: string, body: string) =>
    replies.push({ language: phrases.language, client, kind: 'reply', format: 'text', body, written });
  let turn = 0;
  for (const { client, header, written, answer, quote } of combine(phrases, phrases.attributions)) {
    const form = wrappings[turn++ % wrappings.length];
    if (form === undefined) continue;
    const isMarked = turn % 3 !== 0;
    add(client, written, `${answer}\n\n${form(header)}\n\n${isMarked ? mark(quote) : quote}\n`);
  }
  for (const { client, header, written, answer, quote } of combine(phrases, phrases.headers)) {
    add(client, written, `${answer}\n\n${header}\n\n${header.startsWith('>') ? mark(quote) : quote}\n`);
  }
  return replies;
}

function textForwards(phrases: SetPhrases): GeneratedReply[] {
  return [...combine(phrases, phrases.forwards)].map(({ client, header, written, answer, quote }) => ({
    language: phrases.language,
    client,
    kind: 'forward',
    format: 'text',
    body: `${answer}\n\n${header}\n\n${quote}\n`,
    written,
  }));
}

function htmlReplies(phrases: SetPhrases, set: ReplySet): GeneratedReply[] {
  const parity = set === 'development' ? 0 : 1;
  const clients = htmlClients.filter((_, index) => index % 2 === parity);
  const blocks = phrases.headers
    .map(([, text]) => text.replace(/^[-_].*\n/, ''))
    .filter((text) => text.includes('\n') && !/^[-#>|]/.test(text));
  const lines = phrases.attributions.filter(([, text]) => !text.includes('\n'));
  const replies: GeneratedReply[] = [];
  let turn = 0;
  for (const { client, compose } of clients) {
    for (const { written, answer, quote } of combine(phrases, [[client, '']])) {
      turn++;
      const attribution = lines[turn % lines.length]?.[1] ?? '';
      const header = blocks[turn % blocks.length] ?? '';
      const body = compose({ answer, attribution, header, quote });
      replies.push({ language: phrases.language, client, kind: 'reply', format: 'html', body, written });
    }
  }
  return replies;
}

function mark(text: string): string {
  return text
    .split('\n')
    .map((line) => (line === '' ? '>' : `> ${line}`))
    .join('\n');
}

/** The ways in which clients wrap an attribution. */
const wrappings: readonly ((line: string) => string)[] = [
  (line) => line,
  (line) => wrap(line, wrapColumn),
  wrapBeforeBracket,
  wrapAfterSecondWord,
  (line) => wrap(line, 50),
];

function wrap(text: string, column: number): string {
  const rows: string[] = [];
  let row = '';
  for (const word of text.split(' ')) {
    if (row !== '' && row.length + 1 + word.length > column) {
      rows.push(row);
      row = word;
    } else row = row === '' ? word : `${row} ${word}`;
  }
  return [...rows, row].join('\n');
}

/** "<name@host\n> wrote:", as clients that wrap links write. */
function wrapBeforeBracket(text: string): string {
  return text.replace(/@([^\s<>]+)>(?=[^>]*$)/, '@$1\n>');
}

function wrapAfterSecondWord(text: string): string {
  return text.includes('\n') ? text : text.replace(/^(\S+ \S+) /, '$1\n');
}
