/** Making of signals within their limits (docs/concepts/signals.md). */
import type { Signal, SignalCode, SignalPlace } from './signal-codes.ts';

export const signalsMax = 20;
/** Of one code. */
const signalsOfCodeMax = 5;
const detailCharactersMax = 300;
const quotedCharactersMax = 120;

/** A signal with a detail of bounded length. */
export function signal(code: SignalCode, place: SignalPlace, detail: string): Signal {
  return { code, place, detail: cut(detail, detailCharactersMax) };
}

/** Words of the message inside a detail: on one line, cut, without characters that nobody sees. */
export function quoted(text: string): string {
  const line = text
    .slice(0, 4 * quotedCharactersMax)
    .replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu, ' ')
    .replace(/\s+/g, ' ')
    .trim();
  return `"${cut(line, quotedCharactersMax)}"`;
}

/** The first signals: at most 20, at most 5 of each code. */
export function boundedSignals(signals: readonly Signal[]): Signal[] {
  const counts = new Map<SignalCode, number>();
  const kept = signals.filter(({ code }) => {
    const count = (counts.get(code) ?? 0) + 1;
    counts.set(code, count);
    return count <= signalsOfCodeMax;
  });
  return kept.slice(0, signalsMax);
}

function cut(text: string, charactersMax: number): string {
  if (text.length <= charactersMax) return text;
  const end = /[\ud800-\udbff]/.test(text[charactersMax - 2] ?? '') ? charactersMax - 2 : charactersMax - 1;
  return `${text.slice(0, end)}…`;
}
