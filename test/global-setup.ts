/** Starts DynamoDB Local once for all clouds of the run. */
import type { TestProject } from 'vitest/node';
import { startDynamoDbLocal } from '../lib/local/aws/dynamodb-local.ts';
import { committedCorpus, isCorpusHere, messagesUnder } from '../scripts/corpus/files.ts';

export async function setup({ provide }: TestProject): Promise<() => Promise<void>> {
  if (!isCorpusHere) console.warn(corpusIsAbsent());
  const { url, close } = await startDynamoDbLocal({ isForManyCalls: process.env.PARLEY_SUITE === 'whole' });
  provide('dynamoDbUrl', url);
  return close;
}

function corpusIsAbsent(): string {
  const count = messagesUnder('.', committedCorpus).length;
  return (
    `../shared/corpus is absent: parsing, delivery reports, categories and SMTP are tested on the ${count} messages of ` +
    'test/fixtures/corpus only. The other messages of the corpus are not read, and the figures of bench/corpus.md are not proved.'
  );
}
