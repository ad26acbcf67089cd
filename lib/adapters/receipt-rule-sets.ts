/** The active receipt rule set of a region, which SES's API of version 2 does not show. */
import { DescribeActiveReceiptRuleSetCommand, SESClient } from '@aws-sdk/client-ses';
import { clientConfig, sesManagement } from './aws-clients.ts';

/** The name of the active receipt rule set; null where none is active. */
export async function activeRuleSet(region: string): Promise<string | null> {
  const client = new SESClient({ region, ...clientConfig(sesManagement) });
  try {
    const { Metadata } = await client.send(new DescribeActiveReceiptRuleSetCommand({}));
    return Metadata?.Name ?? null;
  } finally {
    client.destroy();
  }
}
