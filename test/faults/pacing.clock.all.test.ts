import { afterEach, describe, expect, it } from 'vitest';
import { api } from '../support/api.ts';
import { cloud } from '../support/cloud.ts';
import { addresses, clearFaults, copiesOf, inject, killPoints, newSender, untilDone } from './kit.ts';

afterEach(clearFaults);

/** The calls of a session that sorts and releases an email. */
const callsMax = 16;

async function pacedSender() {
  const sender = await newSender({ subscribes: false });
  const made = await api(sender.own).post('/pacing-rules', {
    name: 'One a minute',
    match: [],
    kind: 'limit',
    limit: { scope: 'to_address', amount: 1, per_seconds: 60 },
  });
  expect(made.status).toBe(201);
  return sender;
}

describe('the pacer', () => {
  it('sends every held email once when it is killed at any call', async () => {
    const points = killPoints('pace-mail', callsMax);
    const runs = [];
    for (const [at, fault] of points.entries()) {
      runs.push({ fault, sender: await pacedSender(), to: addresses(`paced${at}`, 1) });
    }
    await cloud().waitForQuiescence();
    for (const { fault, sender } of runs) await inject({ ...fault, match: sender.own.id });
    const sent = [];
    for (const { sender, to } of runs) sent.push([await sender.send(to), await sender.send(to)]);
    await cloud().waitForQuiescence();
    await untilDone();
    for (const [at, emails] of sent.entries()) {
      for (const email of emails) {
        expect(await copiesOf(email.id), `kill point ${at}`).toEqual(new Map([[runs[at]?.to[0], 1]]));
      }
    }
  });

  it('sends a held email once when its message is delivered again and again, and when calls conflict', async () => {
    const sender = await pacedSender();
    const [to = ''] = addresses('paced-again', 1);
    await inject({
      worker: 'pace-mail',
      kind: 'timeout-after',
      service: 'dynamodb',
      action: 'TransactWriteItems',
      match: sender.own.id,
      times: 3,
    });
    const emails = [await sender.send([to]), await sender.send([to])];
    await cloud().waitForQuiescence();
    await untilDone();
    for (const { id } of emails) expect(await copiesOf(id)).toEqual(new Map([[to, 1]]));
  });
});
