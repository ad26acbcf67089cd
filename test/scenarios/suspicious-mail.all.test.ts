/** Received mail that fails a check: what it may not do, and the inbound policy of a workspace. */
import { describe, expect, it } from 'vitest';
import { changeSettings } from '../../lib/services/workspaces/workspaces.ts';
import { api } from '../support/api.ts';
import { cloud } from '../support/cloud.ts';
import { type TestWorkspace, workspace } from '../support/workspace.ts';

const anna = 'anna@customer.test';
const attacker = 'attacker@evil.test';

/** SES's verdicts on a forged mail, as the local SES takes them from the message. */
const forged = { 'X-Local-Dmarc-Verdict': 'FAIL', 'X-Local-Dmarc-Policy': 'reject' };

/** A conversation that Anna started; its thread and the address on our side. */
async function conversation(ours: TestWorkspace): Promise<{ threadId: string; desk: string }> {
  const desk = `support@${ours.providedDomain}`;
  await cloud().sendMail({ from: anna, to: desk, subject: 'Order 7', text: 'Where is it?' });
  await cloud().waitForQuiescence();
  const { body } = await api(ours).get('/threads');
  return { threadId: body.data[0]?.id ?? '', desk };
}

describe('mail that fails DMARC', () => {
  it.each([
    ['subject', (desk: string) => desk],
    ['reply token', (desk: string, threadId: string) => desk.replace('@', `+${threadId}@`)],
  ])('starts a thread of its own when it would join by %s', async (_, recipient) => {
    const ours = await workspace();
    const { threadId, desk } = await conversation(ours);
    const to = recipient(desk, threadId);
    await cloud().sendMail({ from: anna, to, subject: 'Re: Order 7', text: 'Pay here', headers: forged });
    await cloud().waitForQuiescence();
    const { body } = await api(ours).get<{ data: { id: string; message_count: number }[] }>('/threads');
    expect(body.data.map(({ message_count }) => message_count)).toEqual([1, 1]);
  });

  it('joins by Message-ID, and gives a reply no default recipient', async () => {
    const ours = await workspace();
    const { threadId, desk } = await conversation(ours);
    const client = api(ours);
    const answer = await client.post(`/threads/${threadId}/reply`, { text: 'On its way' });
    await cloud().waitForQuiescence();
    await cloud().sendMail({
      from: anna,
      to: desk,
      subject: 'Re: Order 7',
      text: 'Pay here',
      inReplyTo: String(answer.body.message_id),
      headers: { ...forged, 'Reply-To': attacker },
    });
    await cloud().waitForQuiescence();
    const thread = await client.get<{ message_count: number; messages: { verdicts: object }[] }>(
      `/threads/${threadId}`,
    );
    expect(thread.body.message_count).toBe(3);
    expect(thread.body.messages.at(-1)?.verdicts).toMatchObject({
      dmarc: 'FAIL',
      dmarc_policy: 'reject',
      virus: 'PASS',
    });
    await client.post(`/threads/${threadId}/reply`, { text: 'Anything else?' });
    await cloud().waitForQuiescence();
    expect(await cloud().sentTo(attacker)).toEqual([]);
    expect(await cloud().sentTo(anna)).toHaveLength(2);
  });
});

describe('the inbound policy of a workspace', () => {
  it.each(['spam', 'virus', 'dmarc'] as const)(
    'drops mail when it says so of a failed %s check',
    async (check) => {
      const ours = await workspace();
      await changeSettings(ours.id, { inboundPolicy: { [check]: 'drop' } });
      const headers = { [`X-Local-${check}-Verdict`]: 'FAIL' };
      const desk = `support@${ours.providedDomain}`;
      await cloud().sendMail({ from: attacker, to: desk, subject: 'Bad', text: 'Bad', headers });
      await cloud().sendMail({ from: anna, to: desk, subject: 'Good', text: 'Good' });
      await cloud().waitForQuiescence();
      const { body } = await api(ours).get<{ data: { subject: string }[] }>('/emails');
      expect(body.data.map(({ subject }) => subject)).toEqual(['Good']);
    },
  );

  it('treats mail like any other when it accepts a failed check', async () => {
    const ours = await workspace();
    await changeSettings(ours.id, { inboundPolicy: { dmarc: 'accept' } });
    const { desk } = await conversation(ours);
    await cloud().sendMail({ from: anna, to: desk, subject: 'Re: Order 7', text: 'And?', headers: forged });
    await cloud().waitForQuiescence();
    const { body } = await api(ours).get<{ data: { message_count: number }[] }>('/threads');
    expect(body.data.map(({ message_count }) => message_count)).toEqual([2]);
  });
});
