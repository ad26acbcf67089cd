/** The caps that a deployment has by default, on a cloud of its own. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { defaultGuardRails } from '../../lib/local/limits.ts';
import { api } from '../support/api.ts';
import { type OwnCloud, startOwnCloud } from '../support/own-cloud.ts';

let own: OwnCloud;

beforeAll(async () => {
  own = await startOwnCloud({ guardRails: defaultGuardRails });
});
afterAll(() => own.close());

describe('a new workspace of a deployment', () => {
  it('sends to as many recipients as its caps say, and one more is refused with how they are raised', async () => {
    const ours = await own.workspace();
    const send = (to: readonly string[]) =>
      api(ours.key).post('/emails', {
        from: `a@${ours.providedDomain}`,
        to,
        subject: 'Hello',
        text: 'Hello',
      });
    const people = (label: string, count: number) =>
      Array.from({ length: count }, (_, number) => `${label}${number}@people.example.test`);
    for (const label of ['a', 'b']) expect((await send(people(label, 100))).status).toBe(201);
    const { status, body } = await send(people('c', 1));
    expect([status, body.code, body.detail]).toEqual([
      429,
      'sending_limit',
      'The workspace may send to 200 recipients an hour and 1000 a day, and has reached its cap of 200 an hour. The ' +
        'operator raises it with `npm run admin -- workspace limits --workspace SLUG --recipients-per-hour N`, for all ' +
        'workspaces with the setting recipientsPerHour.',
    ]);
  });
});
