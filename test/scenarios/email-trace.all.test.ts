import { describe, expect, it } from 'vitest';
import { clearFaults, inject, newSender } from '../faults/kit.ts';
import { api } from '../support/api.ts';
import { cloud } from '../support/cloud.ts';
import { adminResult, runAdmin } from '../support/operator.ts';
import { verifiedDomain } from '../support/verified-domain.ts';
import { workspace } from '../support/workspace.ts';

interface Step {
  readonly at: string;
  readonly step: string;
  readonly id: string;
  readonly detail: string;
  readonly runbook?: string;
}

const trace = async (...args: string[]) => (await adminResult(['trace', ...args])) as Step[];
const tracedId = async (...args: string[]) =>
  (await trace(...args)).find(({ step }) => step === 'accepted')?.id;

/** What a command that is refused says. */
async function refusal(...args: string[]) {
  const { code, err } = await runAdmin(['trace', ...args, '--json']);
  return { code, detail: JSON.parse(err).error.detail };
}

describe('trace', () => {
  it('shows request, claims, SES, events, deliveries and log lines in the order of time, found by every id in every workspace, without addresses and content', async () => {
    const sender = await newSender();
    const { own } = sender;
    const unavailable = { code: 'TooManyRequestsException', message: 'Maximum sending rate exceeded.' };
    await inject({
      kind: 'error',
      service: 'ses',
      action: 'SendEmail',
      match: own.id,
      status: 429,
      ...unavailable,
    });
    const { id } = await sender.send(['anna-secret@people.example.test'], {
      subject: 'subject-secret',
      text: 'text-secret',
    });
    const isDone = async () => (await sender.read(id)).status === 'delivered';
    // The throttling holds the region for some seconds of real time.
    while (!(await isDone())) await cloud().waitForQuiescence();
    await clearFaults();
    const steps = await trace(id);
    const names = steps.map(({ step }) => step);
    expect(names[0]).toBe('request');
    for (const name of [
      'accepted',
      'claimed',
      'worker',
      'SES accepted',
      'history sent',
      'history delivered',
      'log submission.throttled',
    ]) {
      expect(names).toContain(name);
    }
    for (const name of ['event email.sent', 'event email.delivered', 'delivery delivered', 'attempt']) {
      expect(names).toContain(name);
    }
    expect(steps.map(({ at }) => at)).toEqual(steps.map(({ at }) => at).toSorted());
    expect(JSON.stringify(steps)).not.toContain('secret');
    const throttled = steps.find(({ step }) => step === 'log submission.throttled');
    expect(throttled?.runbook).toBe('docs/runbook.md#submissions-throttled');

    const idOf = (name: string) => steps.find(({ step }) => step === name)?.id ?? '';
    expect(steps).toContainEqual(
      expect.objectContaining({ step: 'worker', detail: expect.stringContaining(idOf('SES accepted')) }),
    );
    const { message_id } = await sender.read(id);
    const others = [
      ...[idOf('request'), idOf('SES accepted'), idOf('event email.sent'), idOf('delivery delivered')],
      ...[message_id, message_id.slice(1, -1), ` ${id} `],
    ];
    for (const other of others) {
      expect(await tracedId(other), other).toBe(id);
      expect(await tracedId(other, '--workspace', own.slug), other).toBe(id);
    }
  });

  it('finds an email of a space by the ids of SES, of its request and of its own form', async () => {
    const own = await workspace();
    const client = api(own);
    const { body: space } = await client.post('/spaces', { name: 'Acme' });
    const requestId = `-${crypto.randomUUID()}`;
    const { name } = await verifiedDomain(client, space.id);
    const mail = { from: `hi@${name}`, to: 'anna@people.example.test', subject: 'Hi', text: 'Hi' };
    const { body } = await client.post<{ id: string; message_id: string }>('/emails', mail, {
      'x-request-id': requestId,
    });
    await cloud().waitForQuiescence();
    const steps = await trace(body.id);
    const sesId = steps.find(({ step }) => step === 'SES accepted')?.id ?? '';
    for (const id of [` ${requestId}`, sesId, `<${sesId}@email.amazonses.com>`, body.message_id]) {
      expect(await tracedId(id), id).toBe(body.id);
    }
  });

  it('shows what the logs have of an email that was deleted', async () => {
    const sender = await newSender({ subscribes: false });
    const { id } = await sender.send(['anna@people.example.test']);
    await cloud().waitForQuiescence();
    expect((await api(sender.own).delete(`/emails/${id}`)).status).toBe(204);
    await cloud().waitForQuiescence();
    const steps = await trace(id);
    expect(steps).toContainEqual(expect.objectContaining({ step: 'not in the table', id }));
    expect(steps.map(({ step }) => step)).toContain('request');
  });

  it('asks which email is meant where a request accepted several, and takes no id of a request for that of an email', async () => {
    const own = await workspace();
    const client = api(own);
    const requestId = `req-${crypto.randomUUID()}`;
    const mail = {
      ...{ from: `hi@${own.providedDomain}`, to: 'anna@people.example.test' },
      ...{ subject: 'Hi', text: 'Hi' },
    };
    const send = (id: string) => client.post<{ id: string }>('/emails', mail, { 'x-request-id': id });
    const [first, second] = [(await send(requestId)).body.id, (await send(requestId)).body.id];
    await cloud().waitForQuiescence();
    expect(await refusal(requestId)).toEqual({
      code: 1,
      detail: expect.stringMatching(
        new RegExp(`leads to 2 emails: .*(?:${first}.*${second}|${second}.*${first})`),
      ),
    });
    const { body: third } = await send(first);
    await cloud().waitForQuiescence();
    expect(await tracedId(first)).toBe(first);
    const steps = await trace(first);
    expect(steps.filter(({ step }) => step === 'request').map(({ id }) => id)).toEqual([requestId]);
    expect(JSON.stringify(steps)).not.toContain(third.id);
  });

  it('refuses an id that the workspace does not have, a workspace that is not there, and what is no such id', async () => {
    const [mine, other] = [await newSender({ subscribes: false }), await newSender({ subscribes: false })];
    const { id } = await other.send(['anna@people.example.test']);
    for (const unknown of [id, `evt_${'0'.repeat(32)}`, `eml_${'0'.repeat(32)}`, 'nothing', '<a@b>']) {
      expect(await refusal(unknown, '--workspace', mine.own.slug), unknown).toEqual({
        code: 1,
        detail: expect.stringContaining('has no email'),
      });
    }
    expect(await refusal(`eml_${'f'.repeat(32)}`)).toMatchObject({ code: 1 });
    expect(await refusal(id, '--workspace', 'nobody')).toEqual({
      code: 1,
      detail: 'There is no workspace "nobody".',
    });
    const wrong = ['eml_1', 'EML_1 or so', `thr_${'0'.repeat(32)}`, 'ä', 'x'.repeat(129), '   '];
    for (const text of wrong) expect(await refusal(text), text).toMatchObject({ code: 2 });
    expect((await refusal(`thr_${'0'.repeat(32)}`)).detail).toMatch(
      /^"thr_0+" is the id of another kind \(Thread\)/,
    );
  });

  it('says that CloudWatch Logs does not allow the search', async () => {
    const sender = await newSender({ subscribes: false });
    const { id } = await sender.send(['anna@people.example.test']);
    await inject({
      ...{ kind: 'error', service: 'logs', action: 'FilterLogEvents', match: id, status: 400 },
      ...{ code: 'AccessDeniedException', message: 'not authorized to perform: logs:FilterLogEvents' },
    });
    expect(await refusal(id)).toEqual({
      code: 1,
      detail: 'AWS does not allow the call: not authorized to perform: logs:FilterLogEvents.',
    });
    await clearFaults();
  });
});
