/** Journals in a folder of the test. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { type Journal, openJournal } from '../../lib/local/journal.ts';

/** A file for a journal, and a function that opens it: each call is a run after the death of the one before. */
export function journalFile(): { readonly file: string; open(spareLines?: number): Journal } {
  const folder = mkdtempSync(join(tmpdir(), 'journal-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const file = join(folder, 'kept/journal.jsonl');
  return {
    file,
    open(spareLines) {
      const journal = openJournal(file, spareLines);
      onTestFinished(journal.close);
      return journal;
    },
  };
}
