/** Says once for the run what it cannot prove. */
import { committedCorpus, isCorpusHere, messagesUnder } from '../scripts/corpus/files.ts';

export function setup(): void {
  if (!isCorpusHere) console.warn(corpusIsAbsent());
}

function corpusIsAbsent(): string {
  const count = messagesUnder('.', committedCorpus).length;
  return (
    `../shared/corpus is absent: parsing, delivery reports, categories and SMTP are tested on the ${count} messages of ` +
    'test/fixtures/corpus only. The other messages of the corpus are not read, and the figures of bench/corpus.md are not proved.'
  );
}
