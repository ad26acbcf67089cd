/** Reading and cost of SPF policies (RFC 7208). */
import { isIP } from 'node:net';
import type { TimedAnswer } from '../dns-answer.ts';
import { hostKey, isSpfPolicy } from '../dns-check.ts';
import { spfInclude } from '../records.ts';
import type { Zone } from './zone.ts';

/** A mechanism or modifier. */
export interface SpfTerm {
  /** As written, in lower case. */
  readonly text: string;
  readonly qualifier: '+' | '-' | '~' | '?';
  readonly name: string;
  /** `name=value`, as `redirect` is. */
  readonly isModifier: boolean;
  /** After `:` or `=`, without a prefix length; empty where there is none. */
  readonly value: string;
}

/** The SPF policies of an answer. */
export function spfPolicies({ values }: TimedAnswer<string>): string[] {
  return values.filter(isSpfPolicy);
}

const termStart = /^([+?~-]?)([a-z][a-z0-9_.-]*)(?=$|[:=/])/;

/** The terms of a policy, without its version. */
export function parseSpf(policy: string): SpfTerm[] {
  const [, ...terms] = policy.trim().toLowerCase().split(/\s+/);
  return terms.map((text) => {
    const [start = '', qualifier, name = ''] = termStart.exec(text) ?? [];
    const rest = text.slice(start.length);
    const [value = ''] = rest.slice(1).split('/');
    return {
      text,
      name,
      isModifier: rest.startsWith('='),
      value: rest.startsWith('/') ? '' : hostKey(value),
      qualifier: qualifierOf(qualifier),
    };
  });
}

function qualifierOf(text: string | undefined): SpfTerm['qualifier'] {
  return text === '-' || text === '~' || text === '?' ? text : '+';
}

/** The terms that are evaluated: up to `all`; then `redirect` only without `all` (RFC 7208, 5.1 and 6.1). */
export function evaluatedTerms(terms: readonly SpfTerm[]): SpfTerm[] {
  const all = terms.findIndex(({ name }) => name === 'all');
  const mechanisms = (all < 0 ? terms : terms.slice(0, all + 1)).filter(({ name }) => name !== 'redirect');
  return all < 0 ? [...mechanisms, ...terms.filter(({ name }) => name === 'redirect')] : mechanisms;
}

const mechanisms = new Set(['all', 'include', 'a', 'mx', 'ptr', 'ip4', 'ip6', 'exists']);
const needsValue = new Set(['include', 'exists', 'redirect', 'exp']);

/** Terms that make the whole policy invalid (RFC 7208, 4.6). */
export function invalidTerms(terms: readonly SpfTerm[]): string[] {
  return terms.filter((term) => !isValidTerm(term)).map(({ text }) => text.slice(0, 60));
}

function isValidTerm({ name, isModifier, value }: SpfTerm): boolean {
  if (needsValue.has(name) && value === '') return false;
  if (name === 'ip4') return isIP(value) === 4;
  if (name === 'ip6') return isIP(value) === 6;
  // Unknown modifiers are ignored (RFC 7208, 6).
  return isModifier ? name !== '' : mechanisms.has(name);
}

/** Limits of an evaluation (RFC 7208, 4.6.4). */
export const spfLimits = { lookups: 10, voids: 2, exchanges: 10 } as const;

export interface SpfCost {
  /** Terms that cause look-ups, those of included policies among them; counting ends at `countedMax`. */
  readonly lookups: number;
  /** Look-ups that found nothing: `term of name`. */
  readonly voids: readonly string[];
  /** A policy that includes itself, through others or not. */
  readonly loop: string | null;
  /** What makes an evaluation end with an error. */
  readonly errors: readonly string[];
  /** By term of the policy itself: its look-ups, with those of the policies that it includes. */
  readonly terms: readonly { readonly text: string; readonly lookups: number }[];
}

/** More are not followed: the policy is invalid anyway. */
export const countedMax = 30;
const listedMax = 5;

const needsLookup = new Set(['include', 'redirect', 'a', 'mx', 'ptr', 'exists']);

interface Evaluation {
  readonly zone: Zone;
  lookups: number;
  loop: string | null;
  readonly voids: Set<string>;
  readonly errors: Set<string>;
}

/** What an evaluation costs that no term matches before the last one. Names with macros depend on the message and are not followed. */
export function spfCost(name: string, policy: string, zone: Zone): SpfCost {
  const evaluation: Evaluation = { zone, lookups: 0, loop: null, voids: new Set(), errors: new Set() };
  const terms = evaluatedTerms(parseSpf(policy)).map((term) => {
    const before = evaluation.lookups;
    countTerm(term, [hostKey(name)], evaluation);
    return { text: term.text.slice(0, 100), lookups: evaluation.lookups - before };
  });
  return {
    lookups: evaluation.lookups,
    voids: [...evaluation.voids].slice(0, listedMax),
    loop: evaluation.loop,
    errors: [...evaluation.errors].slice(0, listedMax),
    terms: terms.filter(({ lookups }) => lookups > 0),
  };
}

/** @param path names of the policies from the first to that of the term */
function countTerm(term: SpfTerm, path: readonly string[], evaluation: Evaluation): void {
  if (evaluation.lookups >= countedMax || !needsLookup.has(term.name)) return;
  evaluation.lookups++;
  const host = term.value === '' ? (path.at(-1) ?? '') : term.value;
  if (host.includes('%') || host === spfInclude || term.name === 'ptr') return;
  if (term.name === 'include' || term.name === 'redirect') {
    followTerm(term, path, evaluation);
  } else if (term.name === 'mx') {
    const answer = evaluation.zone.mx(host);
    noteVoid(term, answer, evaluation);
    if (answer.values.length > spfLimits.exchanges) {
      evaluation.errors.add(`${term.text.slice(0, 100)}: more than ${spfLimits.exchanges} mail exchanges`);
    }
  } else {
    noteVoid(term, evaluation.zone.a(host), evaluation);
  }
}

/** Counts the policy that `include` or `redirect` names. */
function followTerm(term: SpfTerm, path: readonly string[], evaluation: Evaluation): void {
  const target = term.value;
  if (path.includes(target)) {
    evaluation.loop ??= [...path.slice(path.indexOf(target)), target].join(' → ').slice(0, 300);
    return;
  }
  const answer = evaluation.zone.txt(target);
  if (answer.status === 'failed') return;
  noteVoid(term, answer, evaluation);
  const [included, ...others] = spfPolicies(answer);
  if (included === undefined || others.length > 0) {
    // RFC 7208, 5.2: a name without a policy is an error; 4.5: so are several policies.
    const found = included === undefined ? 'no' : 'more than one';
    evaluation.errors.add(`${term.text.slice(0, 100)}: ${found} SPF record`);
    return;
  }
  const terms = parseSpf(included);
  for (const invalid of invalidTerms(terms)) evaluation.errors.add(`${target.slice(0, 100)}: ${invalid}`);
  for (const one of evaluatedTerms(terms)) countTerm(one, [...path, target], evaluation);
}

function noteVoid(term: SpfTerm, { status }: TimedAnswer<unknown>, { voids }: Evaluation): void {
  if (status === 'none' || status === 'nxdomain') voids.add(term.text.slice(0, 100));
}
