/** Who takes the events of a batch, and what is read for it. */
import { expect, it } from 'vitest';
import type { WorkspaceId } from '../../../lib/core/ids.ts';
import type { EventType } from '../../../lib/core/webhooks/event-types.ts';
import { type EventTakers, eventTakersOfBatch } from '../../../lib/services/webhooks/event-takers.ts';
import { changeSettings } from '../../../lib/services/workspaces/workspaces.ts';
import { endpoints, workspaceKey } from '../../../lib/storage/table/keys.ts';
import { api } from '../../support/api.ts';
import { meterCalls, recordedCalls } from '../../support/calls.ts';
import { workspace } from '../../support/workspace.ts';

meterCalls();

const isTaken = async (takers: EventTakers, workspaceId: WorkspaceId, type: EventType) =>
  (await takers.subscribed(workspaceId, type)).length > 0 || (await takers.hasEventLog(workspaceId));

async function subscriber() {
  const own = await workspace();
  const body = { url: 'https://hooks.acme.dev/parley', subscriptions: ['email.sent'] };
  expect((await api(own).post('/webhook-endpoints', body)).status).toBe(201);
  return own.id;
}

it('reads the endpoints of a workspace once, and the workspace where no endpoint takes an event', async () => {
  const workspaceId = await subscriber();
  const takers = eventTakersOfBatch();
  const reading = async (type: 'email.sent' | 'email.bounced') => {
    const calls = await recordedCalls(async () => {
      const taken = await Promise.all([1, 2, 3].map(() => isTaken(takers, workspaceId, type)));
      expect(taken).toEqual([true, true, true]);
    });
    const partitions = calls.flatMap(({ consumed = [] }) => consumed.map(({ partition }) => partition));
    return [endpoints(workspaceId), workspaceKey(workspaceId).pk].map(
      (own) => partitions.filter((partition) => partition === own).length,
    );
  };
  expect(await reading('email.sent')).toEqual([1, 0]);
  expect(await reading('email.bounced')).toEqual([0, 1]);
});

it('finds what was changed when the next batch begins', async () => {
  const workspaceId = await subscriber();
  const before = eventTakersOfBatch();
  expect(await isTaken(before, workspaceId, 'email.bounced')).toBe(true);
  await changeSettings(workspaceId, { eventLog: false });
  expect(await isTaken(eventTakersOfBatch(), workspaceId, 'email.bounced')).toBe(false);
  expect(await isTaken(eventTakersOfBatch(), workspaceId, 'email.sent')).toBe(true);
});
