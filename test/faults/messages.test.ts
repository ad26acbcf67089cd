import { describe, expect, it, onTestFinished } from 'vitest';
import { now, timestamp } from '../../lib/adapters/clock.ts';
import { cloud } from '../support/cloud.ts';
import { clearFaults, inject, newSender } from './kit.ts';

interface Faults {
  readonly data: readonly { readonly service: string }[];
}

interface Calls {
  readonly data: readonly { readonly service: string; readonly action: string }[];
}

describe('queue and schedule messages', () => {
  it('hold ids only: no address, subject, text or file', async () => {
    const secret = crypto.randomUUID();
    const sender = await newSender();
    const person = `${secret}@people.example.test`;
    const content = { subject: `subject ${secret}`, text: `text ${secret}`, html: `<p>html ${secret}</p>` };
    const file = { filename: `${secret}.txt`, content: Buffer.from(`file ${secret}`).toString('base64') };
    await cloud().control('DELETE', '/calls');
    onTestFinished(clearFaults);
    // The first call that contains the secret uses the fault up.
    for (const service of ['sqs', 'scheduler']) await inject({ kind: 'error', service, match: secret });

    await sender.send([person], { ...content, attachments: [file] });
    await sender.send([person], { ...content, scheduled_at: timestamp(now() + 7 * 86_400_000) });
    await cloud().sendMail({
      from: person,
      to: sender.from,
      ...content,
      attachments: [{ filename: file.filename, content: `file ${secret}` }],
    });
    await cloud().waitForQuiescence();

    const { data: calls } = await cloud().control<Calls>('GET', '/calls');
    const made = calls.map(({ service, action }) => `${service} ${action}`);
    expect(made).toEqual(expect.arrayContaining(['sqs SendMessage', 'scheduler CreateSchedule']));
    const { data: unspent } = await cloud().control<Faults>('GET', '/faults');
    expect(unspent.map(({ service }) => service)).toEqual(['sqs', 'scheduler']);
  });
});
