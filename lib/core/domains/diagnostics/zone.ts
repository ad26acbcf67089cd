/** Answers of DNS that diagnostics judge, and the questions that they need. */
import type { MailExchange, TimedAnswer } from '../dns-answer.ts';
import { hostKey } from '../dns-check.ts';

/** Answers by name: lower case, without a final dot. */
export interface ZoneAnswers {
  readonly TXT: Map<string, TimedAnswer<string>>;
  readonly MX: Map<string, TimedAnswer<MailExchange>>;
  readonly CNAME: Map<string, TimedAnswer<string>>;
  readonly A: Map<string, TimedAnswer<string>>;
}

export type QueryType = keyof ZoneAnswers;

export interface Query {
  readonly type: QueryType;
  readonly name: string;
}

export interface AnsweredQuery extends Query {
  readonly answer: TimedAnswer<unknown>;
}

/** Reads answers and notes which were read. A question without an answer reads as `failed`. */
export interface Zone {
  txt(name: string): TimedAnswer<string>;
  mx(name: string): TimedAnswer<MailExchange>;
  cname(name: string): TimedAnswer<string>;
  a(name: string): TimedAnswer<string>;
  /** Every question that was read, once. */
  queries(): readonly AnsweredQuery[];
}

/** Records of one answer that are judged, and characters of a value: a TXT record may have 64 KB. */
const recordsMax = 50;
const characters = 4096;

export function emptyAnswers(): ZoneAnswers {
  return { TXT: new Map(), MX: new Map(), CNAME: new Map(), A: new Map() };
}

/** Whether a question of `queries()` has no answer yet. */
export function isUnanswered(answers: ZoneAnswers, { type, name }: Query): boolean {
  return !answers[type].has(name);
}

export function readZone(answers: ZoneAnswers): Zone {
  const queries = new Map<string, AnsweredQuery>();
  const read = <T>(type: QueryType, asked: string, known: ReadonlyMap<string, TimedAnswer<T>>) => {
    const name = hostKey(asked);
    const answer = known.get(name) ?? unanswered;
    queries.set(`${type} ${name}`, { type, name, answer });
    return answer;
  };
  return {
    txt: (name) => read('TXT', name, answers.TXT),
    mx: (name) => read('MX', name, answers.MX),
    cname: (name) => read('CNAME', name, answers.CNAME),
    a: (name) => read('A', name, answers.A),
    queries: () => [...queries.values()],
  };
}

const unanswered: TimedAnswer<never> = { status: 'failed', values: [], ms: 0 };

/** An answer of texts or hosts as diagnostics store it: few records, short values. */
export function boundedTexts({ values: found, ...answer }: TimedAnswer<string>): TimedAnswer<string> {
  const values = found.slice(0, recordsMax).map((value) => value.slice(0, characters));
  return { ...answer, values };
}

/** An answer of mail exchanges as diagnostics store it: few records, hosts in lower case without a final dot. */
export function boundedExchanges({
  values: found,
  ...answer
}: TimedAnswer<MailExchange>): TimedAnswer<MailExchange> {
  const values = found
    .slice(0, recordsMax)
    .map(({ exchange, priority }) => ({ exchange: hostKey(exchange.slice(0, characters)), priority }));
  return { ...answer, values };
}
