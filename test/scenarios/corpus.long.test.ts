/** The whole corpus of real messages through SMTP, receive-mail and the API. */
import { it } from 'vitest';
import { corpus, corpusName } from '../../scripts/corpus/files.ts';
import { expectAllReadable } from '../support/receive-corpus.ts';

it(`every message of ${corpusName} is received once and readable`, async () => {
  await expectAllReadable(corpus, 'mime');
});
