/** Caps on recipients and suspension, through the API and SES. */
import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import {
  changeRecipientCaps,
  resumeWorkspace,
  suspendWorkspace,
} from '../../lib/services/sending/sending-guard.ts';
import { addMember } from '../../lib/services/workspaces/workspaces.ts';
import { api } from '../support/api.ts';
import { cloud } from '../support/cloud.ts';
import { captureLog } from '../support/log-lines.ts';
import { type TestWorkspace, workspace } from '../support/workspace.ts';

async function send(ours: TestWorkspace, to: string | readonly string[], key: string = randomUUID()) {
  const body = { from: `a@${ours.providedDomain}`, to, subject: 'Hello', text: 'Hello' };
  return await api(ours).post('/emails', body, { 'idempotency-key': key });
}

const people = (count: number, label = '') =>
  Array.from({ length: count }, (_, number) => `p${number}-${randomUUID()}${label}@people.example.test`);

describe('caps on recipients', () => {
  it('refuse what exceeds them with Retry-After, and answer a replay', async () => {
    const ours = await workspace();
    await changeRecipientCaps(ours.id, { perHour: 5, perDay: 100 });
    const first = await send(ours, people(4), 'first');
    expect(first.status).toBe(201);
    const refused = await send(ours, people(2));
    expect([refused.status, refused.body.code]).toEqual([429, 'sending_limit']);
    expect(refused.body.detail).toBe(
      'The workspace may send to 5 recipients an hour and 100 a day, and has reached its cap of 5 an hour. The operator ' +
        'raises it with `npm run admin -- workspace limits --workspace SLUG --recipients-per-hour N`.',
    );
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(600);
    expect(Number(refused.headers['retry-after'])).toBeLessThanOrEqual(720);
    expect((await send(ours, people(1))).status).toBe(201);
    expect((await send(ours, people(1))).status).toBe(429);
  });

  it('refuse an email with more recipients than a cap for good, and name the cap', async () => {
    const ours = await workspace();
    await changeRecipientCaps(ours.id, { perHour: 100, perDay: 3 });
    const refused = await send(ours, people(4));
    expect([refused.status, refused.body.code]).toEqual([409, 'limit_reached']);
    expect(refused.body.detail).toContain('100 recipients an hour and 3 a day; this email has 4');
    expect(refused.body.detail).toContain(
      '`npm run admin -- workspace limits --workspace SLUG --recipients-per-day N`',
    );
    expect(refused.headers['retry-after']).toBeUndefined();
    await changeRecipientCaps(ours.id, { perDay: 4 });
    expect((await send(ours, people(4))).status).toBe(201);
  });

  it('take nothing for a replay, nor for an email that is refused', async () => {
    const ours = await workspace();
    await changeRecipientCaps(ours.id, { perHour: 3, perDay: 100 });
    const to = people(1);
    expect((await send(ours, to, 'same')).status).toBe(201);
    for (let at = 0; at < 5; at++) expect((await send(ours, to, 'same')).status).toBe(200);
    const invalid = { from: `a@${ours.providedDomain}`, to: people(1), subject: 'x', text: 'x' };
    const past = await api(ours).post('/emails', { ...invalid, scheduled_at: '2020-01-01T00:00:00Z' });
    expect(past.status).toBe(422);
    expect((await send(ours, people(2))).status).toBe(201);
  });
});

describe('a suspended workspace', () => {
  it('is refused with 409, its queued mail waits, and goes on when it is resumed', async () => {
    const [ours, other] = [await workspace(), await workspace()];
    const [queued = '', free = ''] = people(2);
    await cloud().control('POST', '/faults', {
      service: 'ses',
      action: 'SendEmail',
      kind: 'error',
      code: 'TooManyRequestsException',
      message: 'Maximum sending rate exceeded.',
      status: 429,
      times: 1,
    });
    expect((await send(ours, queued)).status).toBe(201);
    captureLog();
    await suspendWorkspace(ours.id, 'operator');
    const refused = await send(ours, people(1));
    expect([refused.status, refused.body.code]).toEqual([409, 'workspace_suspended']);
    expect(refused.body.detail).toContain('`npm run admin -- workspace resume --workspace SLUG`');
    expect((await send(other, free)).status).toBe(201);
    await cloud().advance(1800);
    expect(await cloud().sentTo(queued)).toHaveLength(0);
    expect(await cloud().sentTo(free)).toHaveLength(1);
    expect((await api(ours).get('/emails')).status).toBe(200);
    await resumeWorkspace(ours.id);
    await cloud().advance(900);
    expect(await cloud().sentTo(queued)).toHaveLength(1);
    expect((await send(ours, people(1))).status).toBe(201);
  });

  it('is suspended by bounces, once', async () => {
    const ours = await workspace();
    await send(ours, people(30, '+bounce'));
    await cloud().waitForQuiescence();
    const refused = await send(ours, people(1));
    expect([refused.status, refused.body.code]).toEqual([409, 'workspace_suspended']);
    expect(refused.body.detail).toContain('do not exist');
  });

  it('is reported once to its owners and admins, whatever they have opted out of', async () => {
    const ours = await workspace();
    const addressOf = (role: string) => `${role}-${ours.slug}@people.example.test`;
    for (const role of ['owner', 'admin', 'member'] as const) {
      await addMember(ours.id, { email: addressOf(role), role, outageMail: false });
    }
    await suspendWorkspace(ours.id, 'complaints');
    expect(await suspendWorkspace(ours.id, 'bounces')).toBe(false);
    await cloud().waitForQuiescence();
    const mails = await Promise.all(
      ['owner', 'admin', 'member'].map((role) => cloud().sentTo(addressOf(role))),
    );
    expect(mails.map((of) => of.length)).toEqual([1, 1, 0]);
    const { raw } = await cloud().sent(mails[0]?.[0]?.id ?? '');
    expect(raw).toContain('reported its mail as spam');
  });
});
