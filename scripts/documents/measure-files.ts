/** Reads the documents of `test/fixtures/documents` and compares each with the words that its writer was given. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { extractText } from '../../lib/mail/files/extract-text.ts';
import type { ExtractedText } from '../../lib/mail/files/extracted-text.ts';
import { type Comparison, compareWords, type Known, withoutEscapes } from './words.ts';

const folder = join(import.meta.dirname, '../../test/fixtures/documents');

/** A line of `words.jsonl`, see the README beside the documents. */
export interface KnownDocument extends Known {
  readonly file: string;
  /** Program and version. */
  readonly writer: string;
  readonly shows: string;
  readonly language: string;
  /** Expected where the words cannot all be read; `warned` is any status with a warning. */
  readonly status?: 'failed' | 'partial' | 'unsupported' | 'warned';
}

export interface MeasuredDocument {
  readonly kind: string;
  readonly document: KnownDocument;
  readonly extracted: ExtractedText;
  readonly comparison: Comparison;
}

export const kinds: readonly string[] = readdirSync(folder, { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map(({ name }) => name)
  .toSorted();

/** The least mean share of known words; kinds without a goal of the issue have the same as documents. */
export const recallGoal = (kind: string): number => (kind === 'pdf' ? 0.97 : 0.99);

/** Share of words that may be missing from a file that is `ready` without a warning. */
export const silentMax = 0.02;

export async function measureKind(kind: string): Promise<MeasuredDocument[]> {
  const list = readFileSync(join(folder, kind, 'words.jsonl'), 'utf8')
    .trim()
    .split('\n');
  const measured: MeasuredDocument[] = [];
  for (const line of list) {
    const document = JSON.parse(line) as KnownDocument;
    const bytes = readFileSync(join(folder, kind, document.file));
    const extracted = await extractText({ filename: document.file, contentType: '', bytes });
    measured.push({
      kind,
      document,
      extracted,
      comparison: compareWords(document, plainOf(kind, extracted)),
    });
  }
  return measured;
}

function plainOf(kind: string, { text, format }: ExtractedText): string {
  const plain = format === 'markdown' ? withoutEscapes(text ?? '') : (text ?? '');
  // A page shows words divided at the ends of lines; they count as whole.
  return kind === 'pdf' ? plain.replace(/(?<=\p{Ll})[-‐]\n(?=\p{Ll})/gu, '') : plain;
}

/** Whether all words of the document can be read. */
export const isReadable = ({ document }: MeasuredDocument): boolean => document.status === undefined;

export function recallOf({ comparison: { known, found } }: MeasuredDocument): number {
  return known === 0 ? 1 : found / known;
}

export function meanRecall(measured: readonly MeasuredDocument[]): number {
  return mean(measured.filter(isReadable).map(recallOf));
}

export function mean(values: readonly number[]): number {
  return values.length === 0 ? Number.NaN : values.reduce((sum, value) => sum + value, 0) / values.length;
}

/** Whether words are missing and nothing says so. */
export function isSilent(one: MeasuredDocument): boolean {
  const { status, warnings } = one.extracted;
  return status === 'ready' && warnings.length === 0 && recallOf(one) < 1 - silentMax;
}

/** Whether a document that cannot be read has the status that says so. */
export function hasExpectedStatus({ document, extracted }: MeasuredDocument): boolean {
  if (document.status === undefined) return extracted.status === 'ready' || extracted.warnings.length > 0;
  if (document.status === 'warned') return extracted.warnings.length > 0;
  return extracted.status === document.status;
}
