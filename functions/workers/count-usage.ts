/** Counts the events of a batch of the table's stream (docs/concepts/usage.md). */
import type { DynamoDBStreamEvent } from 'aws-lambda';
import { countUsage } from '../../lib/services/usage/usage.ts';

export async function handler({ Records }: DynamoDBStreamEvent): Promise<void> {
  await countUsage(
    Records.map(({ dynamodb }) => ({
      image: dynamodb?.NewImage,
      sequenceNumber: dynamodb?.SequenceNumber ?? '',
    })),
  );
}
