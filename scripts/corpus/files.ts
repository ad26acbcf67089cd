/** Location and files of the message corpus. */
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

export const corpus = join(import.meta.dirname, '../../../shared/corpus');
export const isCorpusHere = existsSync(corpus);

/** Sorted paths of the messages under a folder, relative to the corpus. */
export function messagesUnder(folder: string): string[] {
  return readdirSync(join(corpus, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith('.eml'))
    .map((entry) => join(entry.parentPath, entry.name).slice(corpus.length + 1))
    .sort();
}
