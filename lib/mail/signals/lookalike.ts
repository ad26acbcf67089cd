/** Domains that are made to be taken for another one: by letters that look alike, or one or two other letters. */
import { domainToUnicode } from 'node:url';
import { organizationOf } from '../reports/report-source.ts';
import { skeletonOf } from './confusables.ts';

/** Letters of a name in which one letter, or two, may differ by chance in shorter ones. */
const oneEditLettersMin = 5;
const twoEditsLettersMin = 10;
/** Suffixes that are mistyped on purpose. */
const copiedSuffixes = ['com', 'net', 'org'];
const comparedMax = 1000;
const hostCharactersMax = 253;

export interface Lookalike {
  /** The registered domain that it looks like. */
  readonly of: string;
  readonly how: 'looks the same' | 'differs in one letter' | 'differs in two letters' | 'has another ending';
}

/** The registered domain of a host, in lower case; the host where it has none. */
export function registeredDomain(host: string): string {
  const name = host.toLowerCase();
  return organizationOf(name) ?? name;
}

/** Which of the known domains a host looks like; null where it is one of them, or like none. */
export function lookalikeOf(host: string, known: readonly string[]): Lookalike | null {
  if (host.length > hostCharactersMax) return null;
  const domain = registeredDomain(host);
  const domains = [...new Set(known.slice(0, comparedMax).map(registeredDomain))];
  if (domain === '' || domains.includes(domain)) return null;
  const own = partsOf(domain);
  let best: Lookalike | null = null;
  for (const other of domains) {
    const how = compare(own, partsOf(other));
    if (how === 'looks the same') return { of: other, how };
    if (how !== null && best === null) best = { of: other, how };
  }
  return best;
}

interface Parts {
  readonly label: string;
  readonly suffix: string;
  readonly skeleton: string;
}

function partsOf(domain: string): Parts {
  const shown = domainToUnicode(domain) || domain;
  const dot = shown.indexOf('.');
  const label = dot < 0 ? shown : shown.slice(0, dot);
  return { label, suffix: dot < 0 ? '' : shown.slice(dot + 1), skeleton: skeletonOf(label) };
}

function compare(one: Parts, other: Parts): Lookalike['how'] | null {
  if (one.label === other.label) {
    const isCopied = copiedSuffixes.includes(one.suffix) || copiedSuffixes.includes(other.suffix);
    return isCopied && distance(one.suffix, other.suffix) === 1 ? 'has another ending' : null;
  }
  if (one.skeleton === other.skeleton) return 'looks the same';
  const letters = Math.min(one.label.length, other.label.length);
  if (letters < oneEditLettersMin) return null;
  const edits = Math.min(distance(one.label, other.label), distance(one.skeleton, other.skeleton));
  if (edits === 1) return 'differs in one letter';
  return edits === 2 && letters >= twoEditsLettersMin ? 'differs in two letters' : null;
}

/** Letters that are added, left out, replaced, or swapped with the next one; 3 for more than two. */
function distance(one: string, other: string): number {
  if (Math.abs(one.length - other.length) > 2 || one.length > 63 || other.length > 63) return 3;
  let before: number[] = [];
  let last = Array.from({ length: other.length + 1 }, (_, at) => at);
  for (let row = 1; row <= one.length; row++) {
    const current = [row];
    for (let at = 1; at <= other.length; at++) {
      const isSame = one[row - 1] === other[at - 1];
      const replaced = (last[at - 1] ?? 0) + (isSame ? 0 : 1);
      const isSwapped = row > 1 && at > 1 && one[row - 1] === other[at - 2] && one[row - 2] === other[at - 1];
      const swapped = isSwapped ? (before[at - 2] ?? 0) + 1 : 3;
      current.push(Math.min(replaced, swapped, (last[at] ?? 0) + 1, (current[at - 1] ?? 0) + 1));
    }
    before = last;
    last = current;
  }
  return Math.min(3, last[other.length] ?? 3);
}
