import { describe, expect, it } from 'vitest';
import { now } from '../../../lib/adapters/clock.ts';
import { claimedByRestore } from '../../../lib/core/emails/submission.ts';
import type { EmailId, WorkspaceId } from '../../../lib/core/ids.ts';
import { completeHeld, isSubmittedWhole } from '../../../lib/services/restoring/complete-held.ts';
import { holdEmail } from '../../../lib/services/restoring/hold-email.ts';
import { settleHeld } from '../../../lib/services/restoring/settle.ts';
import { recordProviderEvent } from '../../../lib/services/sending/record-provider-event.ts';
import { submitEmail } from '../../../lib/services/sending/submit-email.ts';
import { findFullEmail } from '../../../lib/storage/emails/emails.ts';
import { api } from '../../support/api.ts';
import { cloud } from '../../support/cloud.ts';
import { workspace } from '../../support/workspace.ts';

const tomorrow = () => new Date(now() + 86_400_000).toISOString();

/** An email that has not left, held as after a restore. */
async function heldEmail(
  recipients: readonly string[],
  { isLater = false, ...fields }: { readonly isLater?: boolean; readonly [field: string]: unknown } = {},
) {
  const own = await workspace();
  const client = api(own);
  const { body } = await client.post<{ id: EmailId }>('/emails', {
    from: `hi@${own.providedDomain}`,
    to: recipients,
    subject: 'Order 7',
    text: 'Hi',
    scheduled_at: tomorrow(),
    ...fields,
  });
  const full = async () => {
    const email = await findFullEmail(own.id as WorkspaceId, body.id);
    if (!email) throw new Error('there is no email');
    return email;
  };
  const hold = async () => holdEmail(own.id as WorkspaceId, await full(), { restoredTo: now(), isLater });
  await hold();
  const read = async () =>
    (await client.get<{ status: string; events: { detail: string | null }[] }>(`/emails/${body.id}`)).body;
  return { workspaceId: own.id as WorkspaceId, emailId: body.id, full, hold, read };
}

const address = () => `held-${crypto.randomUUID()}@people.example.test`;

describe('an email that a restore holds', () => {
  it('is not submitted by any message, and is held once', async () => {
    const to = Array.from({ length: 60 }, address);
    const { workspaceId, emailId, full, hold, read } = await heldEmail(to);
    await hold();
    for (const chunk of [null, 0, 1]) {
      await submitEmail({ kind: 'send-mail', v: 1, workspaceId, emailId, chunk, slot: null });
    }
    await cloud().waitForQuiescence();
    expect(await cloud().sentTo(to[0] ?? '')).toEqual([]);
    expect((await full()).chunks.map(({ state, attempt }) => [state, attempt])).toEqual([
      ['claimed', 1],
      ['claimed', 1],
    ]);
    expect((await read()).status).toBe('sending');
    const name = `${workspaceId}/${emailId}`;
    expect(await settleHeld('list', { workspaceId, emailId: null, isScheduled: null })).toEqual([name]);
  });

  it('is held whole where each recipient has a chunk, which is more than a transaction takes', async () => {
    const [to = [], cc, bcc] = Array.from({ length: 3 }, () => Array.from({ length: 100 }, address));
    const { full, hold, read } = await heldEmail(to, { cc, bcc, unsubscribe: true });
    await hold();
    const { chunks } = await full();
    expect(new Set(chunks.map(({ number }) => number)).size).toBe(300);
    expect(
      chunks.filter(({ state, claimedAt }) => state === 'claimed' && claimedAt === claimedByRestore),
    ).toHaveLength(300);
    expect((await read()).status).toBe('sending');
  });

  it('is completed by a report of SES', async () => {
    const { workspaceId, emailId, read } = await heldEmail([address()]);
    await recordProviderEvent({
      ...{ workspaceId, emailId, chunk: 0, providerId: 'ses-1', source: 'Send ses-1' },
      ...{ entry: null, engagement: null },
    });
    expect((await read()).status).toBe('sent');
    expect(await settleHeld('list', { workspaceId, emailId, isScheduled: null })).toEqual([]);
  });

  it('is completed by what the logs say, once, however often it is repeated', async () => {
    const to = address();
    const { workspaceId, emailId, full, read } = await heldEmail([to]);
    const submitted = new Map([[0, 'ses-1']]);
    expect(isSubmittedWhole(await full(), submitted)).toBe(true);
    await completeHeld(workspaceId, emailId, submitted);
    const { status, events } = await read();
    expect(status).toBe('sent');
    for (const again of [submitted, new Map([[0, 'ses-2']])]) {
      await completeHeld(workspaceId, emailId, again);
    }
    expect(await read()).toMatchObject({ status: 'sent', events });
    expect((await full()).chunks).toMatchObject([{ state: 'accepted', providerId: 'ses-1' }]);
    // SES's late report is of the same submission.
    await recordProviderEvent({
      ...{ workspaceId, emailId, chunk: 0, providerId: 'ses-1', source: 'Send ses-1' },
      ...{ entry: null, engagement: null },
    });
    await submitEmail({ kind: 'send-mail', v: 1, workspaceId, emailId, chunk: 0, slot: null });
    await cloud().waitForQuiescence();
    expect((await read()).events).toEqual(events);
    expect(await cloud().sentTo(to)).toEqual([]);
  });

  it('is completed in part where the logs know a part, and goes on where a run was killed', async () => {
    const { workspaceId, emailId, full, read } = await heldEmail(Array.from({ length: 60 }, address));
    for (const [part, isWhole] of [
      [new Map([[1, 'ses-2']]), false],
      [new Map([[0, null]]), false],
    ] as const) {
      expect(isSubmittedWhole(await full(), part)).toBe(isWhole);
      await completeHeld(workspaceId, emailId, part);
    }
    expect((await read()).status).toBe('sending');
    expect((await full()).chunks.map(({ state }) => state)).toEqual(['claimed', 'accepted']);
    expect(isSubmittedWhole(await full(), undefined)).toBe(false);
    const rest = new Map([[0, 'ses-1']]);
    expect(isSubmittedWhole(await full(), rest)).toBe(true);
    await completeHeld(workspaceId, emailId, rest);
    expect((await read()).status).toBe('sent');
  });

  it('is submitted where the operator says so', async () => {
    const to = address();
    const { workspaceId, emailId, read } = await heldEmail([to]);
    await settleHeld('send', { workspaceId, emailId, isScheduled: null });
    await cloud().waitForQuiescence();
    expect(await cloud().sentTo(to)).toHaveLength(1);
    expect((await read()).status).toBe('delivered');
  });

  it('fails with its reason where the operator says so', async () => {
    const to = address();
    const { workspaceId, emailId, read } = await heldEmail([to]);
    await settleHeld('fail', { workspaceId, emailId, isScheduled: null });
    const { status, events } = await read();
    expect(status).toBe('failed');
    expect(events.at(-1)?.detail).toMatch(/^it is not known whether it was sent/);
    expect(await cloud().sentTo(to)).toEqual([]);
  });

  it('that is scheduled for later stays so, and leaves when the operator lets it and its time comes', async () => {
    const { workspaceId, emailId, full, read } = await heldEmail([address()], { isLater: true });
    const only = { workspaceId, emailId, isScheduled: true };
    const name = `${workspaceId}/${emailId}`;
    expect(await settleHeld('fail', only)).toEqual([]);
    expect(await settleHeld('list', { ...only, isScheduled: false })).toEqual([]);
    expect(await settleHeld('send', only)).toEqual([name]);
    await cloud().waitForQuiescence();
    expect((await read()).status).toBe('scheduled');
    expect((await full()).chunks).toMatchObject([{ state: 'claimed', claimedAt: 0 }]);
    expect(await settleHeld('list', only)).toEqual([]);
  });
});
