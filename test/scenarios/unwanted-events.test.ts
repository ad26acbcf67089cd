/** Events that nobody takes are neither read nor stored (docs/concepts/webhooks.md#routing). */
import { expect, it } from 'vitest';
import { changeSettings } from '../../lib/services/workspaces/workspaces.ts';
import { emails } from '../../lib/storage/table/keys.ts';
import { api } from '../support/api.ts';
import { meterCalls, recordedCalls } from '../support/calls.ts';
import { cloud } from '../support/cloud.ts';
import { receiver } from '../support/receiver.ts';
import { workspace } from '../support/workspace.ts';

meterCalls();

it.each([
  ['no endpoint', 'off', [], 0, []],
  ['an endpoint for another type', 'off', ['email.bounced'], 0, []],
  ['an endpoint', 'off', ['email.delivered'], 1, ['email.delivered']],
  ['no endpoint', 'on', [], 2, ['email.delivered', 'email.sent', 'thread.created']],
] as const)(
  'with %s and the event log %s, events of %j read their email: %i, stored: %j',
  async (_, log, types, expected, stored) => {
    const own = await workspace();
    const client = api(own);
    await changeSettings(own.id, { eventLog: log === 'on' });
    const hook = await receiver(() => ({ status: 200 }));
    if (types.length > 0) {
      const body = { url: hook.url, subscriptions: types };
      expect((await client.post('/webhook-endpoints', body)).status).toBe(201);
    }
    await cloud().waitForQuiescence();
    const mail = { to: 'nobody@people.example.test', subject: 'Hello', text: 'Hello there' };
    const calls = await recordedCalls(() =>
      client.post('/emails', { from: `desk@${own.providedDomain}`, ...mail }),
    );
    // Each event that is published reads its email once, but that of the thread.
    const reads = calls.filter(
      ({ principal, consumed = [] }) =>
        principal.includes('relay') && consumed.some(({ partition }) => partition === emails(own.id)[0]),
    );
    expect(reads).toHaveLength(expected);
    expect(hook.requests).toHaveLength(types.length > 0 ? expected : 0);
    const { body } = await client.get('/events');
    expect(body.data.map(({ type }) => type).toSorted()).toEqual(stored);
  },
);
