/** Live events: from the ticket to events on a real WebSocket. */
import { expect, it } from 'vitest';
import { api } from '../support/api.ts';
import { cloud } from '../support/cloud.ts';
import { connected, liveUrl, openSocket } from '../support/live-socket.ts';
import { workspace } from '../support/workspace.ts';

it('a client with a key of scope `read` receives each event of a send once, in the envelope of the log', async () => {
  const ours = await workspace();
  const client = await connected(await ours.keyOf('read'));
  expect(await client.subscribe()).toEqual({ type: 'subscribed', after: null });
  const { status } = await api(ours).post('/emails', {
    from: `desk@${ours.providedDomain}`,
    to: 'success@simulator.amazonses.com',
    subject: 'Hello',
    text: 'Hello there',
  });
  expect(status).toBe(201);
  await cloud().waitForQuiescence();
  await client.until(({ event }) => event?.type === 'email.delivered');
  const { body } = await api(ours).get('/events?order=asc');
  // They come as they enter the log, and it lists them by their ids, which are made before.
  const inOrder = client.events.toSorted((one, other) => one.id.localeCompare(other.id));
  expect(inOrder).toEqual(body.data);
  client.send({ action: 'ping' });
  await client.until(({ type }) => type === 'pong');
});

it('a ticket opens one connection', async () => {
  const url = await liveUrl(api(await workspace()));
  expect(url).toMatch(/^ws:\/\/127\.0\.0\.1:\d+\/live\?ticket=[0-9a-f]{32}\.[\w-]{43}$/);
  expect(typeof (await openSocket(url))).toBe('object');
  expect(await openSocket(url)).toBe(401);
});

it('a client that names a route of API Gateway as its action has a problem, and stays connected', async () => {
  const client = await connected(await workspace());
  for (const action of ['$disconnect', '$connect']) client.send({ action });
  await client.until(() => client.frames.filter(({ type }) => type === 'problem').length === 2);
  expect(await client.subscribe()).toEqual({ type: 'subscribed', after: null });
});
