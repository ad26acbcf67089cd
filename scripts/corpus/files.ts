/** Location and files of the message corpus. */
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

const whole = join(import.meta.dirname, '../../../shared/corpus');
/** The part of the corpus that is in this repository. */
export const committedCorpus = join(import.meta.dirname, '../../test/fixtures/corpus');

/** Whether the whole corpus lies beside the repository. */
export const isCorpusHere = existsSync(whole);
/** The whole corpus, or the committed part. */
export const corpus = isCorpusHere ? whole : committedCorpus;
/** For test titles and messages. */
export const corpusName = isCorpusHere ? 'the whole corpus' : 'the committed part of the corpus';

/** Those of `files` that the corpus has. */
export function presentInCorpus(files: readonly string[]): string[] {
  return files.filter((file) => existsSync(join(corpus, file)));
}

/** Sorted paths of the messages under a folder, relative to the corpus `from`. */
export function messagesUnder(folder: string, from = corpus): string[] {
  return readdirSync(join(from, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith('.eml'))
    .map((entry) => join(entry.parentPath, entry.name).slice(from.length + 1))
    .sort();
}

/** Whether a message is in a folder of messages that their project made to be damaged. */
export function isDamaged(file: string): boolean {
  return /(?:^|\/)(?:malformed|error_emails|err)\//.test(file);
}
