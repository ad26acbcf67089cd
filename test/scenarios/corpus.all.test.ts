/** Real messages through SMTP, receive-mail and the API; `corpus.long.test.ts` takes all folders. */
import { it } from 'vitest';
import { committedCorpus } from '../../scripts/corpus/files.ts';
import { expectAllReadable } from '../support/receive-corpus.ts';

it('every message of mime/mail-gem in the committed part of the corpus is received once and readable', async () => {
  await expectAllReadable(committedCorpus, 'mime/mail-gem');
});
