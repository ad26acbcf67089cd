/** What ends live connections by the clock: tickets, idleness, and the duration that API Gateway allows. */
import { expect, it } from 'vitest';
import { listConnections } from '../../../lib/storage/live/connections.ts';
import { api } from '../../support/api.ts';
import { cloud } from '../../support/cloud.ts';
import { connected, liveUrl, openSocket } from '../../support/live-socket.ts';
import { workspace } from '../../support/workspace.ts';

it('a ticket is refused a minute after it was made', async () => {
  const client = api(await workspace());
  const [early, late] = [await liveUrl(client), await liveUrl(client)];
  await cloud().advance(30);
  expect(typeof (await openSocket(early))).toBe('object');
  await cloud().advance(31);
  expect(await openSocket(late)).toBe(401);
});

it('a connection ends after ten minutes without a message, and after two hours in any case', async () => {
  const ours = await workspace();
  const [idle, busy] = [await connected(ours), await connected(ours)];
  for (let minutes = 0; minutes < 115; minutes += 5) {
    busy.send({ action: 'ping' });
    const pings = minutes / 5 + 1;
    await busy.until(() => busy.frames.length === pings);
    await cloud().advance(300);
    if (minutes === 5) expect(await idle.closed).toBe(1001);
  }
  busy.send({ action: 'ping' });
  await busy.until(() => busy.frames.length === 24);
  await cloud().advance(301);
  expect(await busy.closed).toBe(1001);
  await cloud().waitForQuiescence();
  expect(await listConnections(ours.id)).toEqual([]);
});
