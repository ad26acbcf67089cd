/** The active receipt rule set of a region, which SES's API of version 2 does not show. */
import { DescribeActiveReceiptRuleSetCommand, SESClient } from '@aws-sdk/client-ses';
import { clientConfig } from './aws-clients.ts';

/** SES management calls take longer than calls that send, and are limited to one a second ("Service quotas in Amazon SES"). */
const options = { requestMs: 10_000, maxAttempts: 8 } as const;

/** The name of the active receipt rule set; null where none is active. */
export async function activeRuleSet(region: string): Promise<string | null> {
  const client = new SESClient({ region, ...clientConfig(options) });
  try {
    const { Metadata } = await client.send(new DescribeActiveReceiptRuleSetCommand({}));
    return Metadata?.Name ?? null;
  } finally {
    client.destroy();
  }
}
