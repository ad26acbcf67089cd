import { describe, expect, it } from 'vitest';
import { clearFaults, inject, newSender } from '../faults/kit.ts';
import { cloud } from '../support/cloud.ts';
import { adminResult, runAdmin } from '../support/operator.ts';

interface Step {
  readonly at: string;
  readonly step: string;
  readonly id: string;
  readonly detail: string;
}

const trace = async (slug: string, id: string) =>
  (await adminResult(['email', 'trace', '--workspace', slug, '--id', id])) as Step[];

describe('email trace', () => {
  it('shows claims, SES, events, deliveries and log lines in the order of time, found by every id, without addresses and content', async () => {
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
    const steps = await trace(own.slug, id);
    const names = steps.map(({ step }) => step);
    expect(names[0]).toBe('accepted');
    for (const name of [
      'claimed',
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

    const idOf = (name: string) => steps.find(({ step }) => step === name)?.id ?? '';
    const { message_id } = await sender.read(id);
    for (const other of [idOf('SES accepted'), idOf('event email.sent'), message_id]) {
      expect((await trace(own.slug, other))[0]?.id, other).toBe(id);
    }
  });

  it('refuses an id that the workspace does not have', async () => {
    const [mine, other] = [await newSender({ subscribes: false }), await newSender({ subscribes: false })];
    const { id } = await other.send(['anna@people.example.test']);
    for (const unknown of [id, 'evt_00000000000000000000000000000000', 'nothing', '<a@b>']) {
      const { code, err } = await runAdmin(['email', 'trace', '--workspace', mine.own.slug, '--id', unknown]);
      expect([code, err], unknown).toEqual([1, expect.stringContaining('has no email')]);
    }
  });
});
