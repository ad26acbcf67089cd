/** Real messages through SMTP, receive-mail and the API. `corpus.long.test.ts` takes the whole corpus. */
import { it } from 'vitest';
import { committedCorpus } from '../../scripts/corpus/files.ts';
import { expectAllReadable } from '../support/receive-corpus.ts';

it('every message of the committed part of the corpus is received once and readable', async () => {
  await expectAllReadable(committedCorpus);
}, 60_000);
