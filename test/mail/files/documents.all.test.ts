/** Documents of other programs with known words: how many of them the readers find, by kind of file. */
import { beforeAll, describe, expect, it } from 'vitest';
import {
  hasExpectedStatus,
  isSilent,
  kinds,
  type MeasuredDocument,
  meanRecall,
  measureKind,
  recallGoal,
} from '../../../scripts/documents/measure-files.ts';

const nameOf = ({ document, extracted, comparison }: MeasuredDocument) =>
  `${document.file} (${document.shows}): ${extracted.status}, misses ${comparison.missing.slice(0, 5).join(' ')}`;

describe.each(kinds)('extractText of %s files of other programs', (kind) => {
  let measured: readonly MeasuredDocument[] = [];
  beforeAll(async () => {
    measured = await measureKind(kind);
  });

  it('returns the goal of known words', () => {
    expect(meanRecall(measured)).toBeGreaterThanOrEqual(recallGoal(kind));
  });

  it('is never ready without a warning when more than 2 % of the words are missing', () => {
    expect(measured.filter(isSilent).map(nameOf)).toEqual([]);
  });

  it('says so by its status when a file cannot be read in full', () => {
    expect(measured.filter((one) => !hasExpectedStatus(one)).map(nameOf)).toEqual([]);
  });
});
