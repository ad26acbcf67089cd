/** What the worker `check-mail` finds: an inactive receipt rule set, and the verification of the provided domain. */
import { SESClient, SetActiveReceiptRuleSetCommand } from '@aws-sdk/client-ses';
import { afterEach, describe, expect, it } from 'vitest';
import { now } from '../../lib/adapters/clock.ts';
import { env } from '../../lib/env.ts';
import { clearFaults, inject } from '../faults/kit.ts';
import { api } from '../support/api.ts';
import { cloud } from '../support/cloud.ts';
import { workspace } from '../support/workspace.ts';

const sixMinutes = 6 * 60;

async function activate(RuleSetName: string | undefined): Promise<void> {
  const client = new SESClient({ region: env().DEFAULT_REGION });
  await client.send(new SetActiveReceiptRuleSetCommand({ RuleSetName }));
  client.destroy();
}

afterEach(async () => {
  await clearFaults();
  await activate(env().RECEIPT_RULE_SET);
});

/** Log lines of the worker since a time. */
async function checksSince(startedAt: number): Promise<string[]> {
  const { data } = await cloud().control<{ data: { at: number; text: string }[] }>(
    'GET',
    '/logs?source=parley-worker-check-mail',
  );
  return data.filter(({ at }) => at >= startedAt).map(({ text }) => text);
}

describe('an inactive receipt rule set', () => {
  it('is counted in the metric of its alarm, and an active one is not', async () => {
    const before = now();
    await cloud().advance(sixMinutes);
    await cloud().waitForQuiescence();
    expect((await checksSince(before)).filter((text) => text.includes('ReceiptRuleSetsInactive'))).toEqual(
      [],
    );
    await activate(undefined);
    const after = now();
    await cloud().advance(sixMinutes);
    await cloud().waitForQuiescence();
    const lines = await checksSince(after);
    expect(lines.find((text) => text.includes('"ReceiptRuleSetsInactive":1'))).toBeDefined();
    const event = lines.find((text) => text.includes('inbound.rule_set_inactive'));
    expect(JSON.parse(event ?? '{}')).toMatchObject({ region: env().DEFAULT_REGION, cause: 'none_active' });
  });
});

describe('mail of a provided domain that SES has not verified', () => {
  it('waits, and is sent once when SES has verified the domain', async () => {
    const ours = await workspace();
    const client = api(ours);
    const from = `desk@${ours.providedDomain}`;
    await inject({
      service: 'ses',
      action: 'SendEmail',
      kind: 'error',
      match: ours.id,
      code: 'MessageRejected',
      message: `Email address is not verified. The following identities failed the check in region EU-CENTRAL-1: ${from}`,
      times: 1,
    });
    const to = `ann@${ours.slug}.example.test`;
    const { body } = await client.post('/emails', { from, to, subject: 'Hello', text: 'Hello' });
    await cloud().waitForQuiescence();
    const other = await client.post('/emails', { from, to, subject: 'Hello again', text: 'Hello' });
    await cloud().waitForQuiescence();
    const statusOf = async (id: string) => (await client.get(`/emails/${id}`)).body.status;
    expect(await statusOf(body.id)).toBe('queued');
    for (const _ of ['until the check runs', 'until the mail looks again']) {
      await cloud().advance(sixMinutes);
      await cloud().waitForQuiescence();
    }
    expect(['sent', 'delivered']).toContain(await statusOf(body.id));
    expect(['sent', 'delivered']).toContain(await statusOf(other.body.id));
    expect(await cloud().sentTo(to)).toHaveLength(2);
  });
});
