/** `parley listen`, `tail` and `trigger` against the local cloud, as processes. */
import { createServer } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { verifyWebhook } from '../../clients/typescript/src/index.ts';
import { api } from '../support/api.ts';
import { cloud } from '../support/cloud.ts';
import { type Receiver, receiver } from '../support/receiver.ts';
import { type TestWorkspace, workspace } from '../support/workspace.ts';
import { cloudClient } from './support/cloud-client.ts';
import { lossyProxy } from './support/lossy-proxy.ts';
import { cliHome, cliOf, type RunningCli } from './support/run-cli.ts';

const send = (ours: TestWorkspace, subject = 'x') =>
  cloudClient(ours).emails.send({
    from: `a@${ours.providedDomain}`,
    to: `anna-${ours.slug}@example.test`,
    subject,
    text: 'x',
  });

const idsOf = (hook: Receiver) => hook.requests.map(({ headers }) => headers['webhook-id']);
/** Ids of the event log, oldest first. */
async function logged(ours: TestWorkspace): Promise<string[]> {
  await cloud().waitForQuiescence();
  const events = await cloudClient(ours).events.list({ order: 'asc', limit: 100 }).toArray({ max: 1000 });
  return events.map(({ id }) => id);
}

async function whenPosted(hook: Receiver, ids: readonly string[]): Promise<void> {
  for (const id of ids) await hook.waitFor(({ headers }) => headers['webhook-id'] === id);
}

const ready = (running: RunningCli) => running.until(/Press Ctrl-C/);
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const colors = /\u001b\[\d+(;\d+)*m/g;
// biome-ignore lint/suspicious/noControlCharactersInRegex: as above
const controls = /[\u0000-\u001f\u007f-\u009f\u202a-\u202e]/;

const secretOf = (text: string) => /whsec_\S+/.exec(text)?.[0] ?? '';

describe('listen', () => {
  it('posts what an endpoint would get: body, headers, both signatures by the secret that it prints', async () => {
    const ours = await workspace();
    const [hook, endpoint] = [await receiver(), await receiver()];
    await api(ours).post('/webhook-endpoints', { url: endpoint.url, subscriptions: ['email.sent'] });
    const home = cliOf(ours);
    const running = home.start(['listen', '--forward-to', hook.url, '--type', 'email.sent']);
    await ready(running);
    await send(ours, 'Grüße 日本');
    const [mine, real] = [await hook.waitFor(), await endpoint.waitFor()];
    expect(mine.body).toBe(real.body);
    expect(Object.keys(mine.headers)).toEqual(expect.arrayContaining(Object.keys(real.headers)));
    const secret = secretOf(running.out());
    for (const only of [/^parley-signature$/, /^webhook-/]) {
      const headers = Object.fromEntries(Object.entries(mine.headers).filter(([name]) => only.test(name)));
      expect(await verifyWebhook(mine.body, headers, secret)).toMatchObject({ type: 'email.sent' });
    }
    await running.until(/email\.sent .* 200 /);
    const { code, out, err } = await running.interrupt();
    expect({ code, err }).toEqual({ code: 0, err: '' });
    expect(out).toMatch(/\d\d:\d\d:\d\d {2}email\.sent {12}evt_[0-9a-f]{32} {2}200 {2}\d+ ms/);
    expect(out).not.toContain(ours.key);
    // The same after a restart.
    const again = home.start(['listen', '--forward-to', hook.url]);
    await ready(again);
    expect(secretOf(again.out())).toBe(secret);
    await again.interrupt();
  });

  it('goes on where it ended after Ctrl-C and after a kill, without losing or repeating', async () => {
    const ours = await workspace();
    const hook = await receiver();
    const home = cliOf(ours);
    const args = ['listen', '--forward-to', hook.url];
    const first = home.start(args);
    await ready(first);
    await send(ours);
    await whenPosted(hook, await logged(ours));
    await first.interrupt();
    for (let number = 0; number < 5; number += 1) await send(ours);
    const missed = (await logged(ours)).filter((id) => !idsOf(hook).includes(id));
    const second = home.start(args);
    await second.until(/Going on after/);
    // What is printed is written down.
    for (const id of missed) await second.until(new RegExp(`${id}  200`));
    second.child.kill('SIGKILL');
    await second.ended;
    await send(ours);
    const all = await logged(ours);
    const third = home.start(args);
    await whenPosted(hook, all);
    // A whole further read shows nothing twice.
    await pause(1500);
    expect((await third.interrupt()).code).toBe(0);
    expect(idsOf(hook).toSorted()).toEqual(all.toSorted());
  });

  it('loses nothing when it is killed in the middle, and repeats at most the posts that ran', async () => {
    const ours = await workspace();
    for (let number = 0; number < 8; number += 1) await send(ours);
    const all = await logged(ours);
    const hook = await receiver(() => ({ afterMs: 300 }));
    const home = cliOf(ours);
    const args = ['listen', '--forward-to', hook.url];
    const since = home.start([...args, '--since', '1h']);
    await since.until(/ {2}200 {2}/);
    since.child.kill('SIGKILL');
    await since.ended;
    const second = home.start(args);
    await whenPosted(hook, all);
    await second.interrupt();
    const ids = idsOf(hook);
    expect(new Set(ids)).toEqual(new Set(all));
    expect(ids.length - all.length).toBeLessThanOrEqual(8);
  });

  it('survives a break of the network and of the service', async () => {
    const ours = await workspace();
    const hook = await receiver();
    const losses = ['pass', 'pass', 'lose-request', 'cut-json', 'gateway', 'lose-answer'] as const;
    const proxy = await lossyProxy(cloud().baseUrl, [...losses]);
    const home = cliHome({ PARLEY_API_KEY: ours.key, PARLEY_BASE_URL: proxy.baseUrl });
    const running = home.start(['listen', '--forward-to', hook.url]);
    await running.until(/No events: /);
    await send(ours);
    await whenPosted(hook, await logged(ours));
    await running.until(/Events are read again/);
    await running.interrupt();
    expect(idsOf(hook).toSorted()).toEqual((await logged(ours)).toSorted());
  });

  it('repeats a post that fails, then goes on, and says so', async () => {
    const ours = await workspace();
    const hook = await receiver(({ body }) => ({ status: body.includes('thread.created') ? 500 : 204 }));
    const running = cliOf(ours).start(['listen', '--forward-to', hook.url]);
    await ready(running);
    await send(ours);
    await running.until(/thread\.created .* 500, given up/);
    const { out } = await running.interrupt();
    expect(out.match(/500, again in 1 s|500, again in 3 s|500, again in 8 s/g)).toHaveLength(3);
    expect(out).toMatch(/email\.delivered +evt_\w+ {2}204/);
  });

  it('says that nothing listens there, and ends with 1 for --once', async () => {
    const ours = await workspace();
    const free = createServer();
    await new Promise<void>((resolve) => free.listen(0, '127.0.0.1', resolve));
    const { port } = free.address() as { port: number };
    await new Promise((resolve) => free.close(resolve));
    await send(ours);
    await logged(ours);
    const { code, out } = await cliOf(ours).run([
      'listen',
      '--forward-to',
      `127.0.0.1:${port}`,
      '--once',
      '--since',
      '1h',
      '--json',
    ]);
    const lines = out
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(code).toBe(1);
    expect(lines[0]).toMatchObject({
      listening: { resumed: false, secret: expect.stringMatching(/^whsec_/) },
    });
    expect(lines.slice(1).map(({ error, retry_in_ms }) => [error, retry_in_ms])).toEqual([
      ['nothing listens there', 1000],
      ['nothing listens there', 3000],
      ['nothing listens there', 8000],
      ['nothing listens there', null],
    ]);
  });

  it('runs twice beside each other to two addresses, and once to one', async () => {
    const ours = await workspace();
    const [one, two] = [await receiver(), await receiver()];
    const home = cliOf(ours);
    const running = [one, two].map((hook) => home.start(['listen', '--forward-to', hook.url]));
    for (const each of running) await ready(each);
    const refused = await home.run(['listen', '--forward-to', one.url]);
    expect(refused).toMatchObject({
      code: 1,
      err: expect.stringContaining('Another parley listen forwards to this address.'),
    });
    await send(ours);
    const all = await logged(ours);
    for (const hook of [one, two]) await whenPosted(hook, all);
    for (const each of running) await each.interrupt();
    for (const hook of [one, two]) expect(idsOf(hook).toSorted()).toEqual(all.toSorted());
  });

  it('ends with what is wrong when its key is deleted', async () => {
    const ours = await workspace();
    const client = cloudClient(ours);
    const { id, key } = await client.apiKeys.create({ name: 'listen', scope: 'read' });
    const hook = await receiver();
    const running = cliHome({ PARLEY_API_KEY: key, PARLEY_BASE_URL: cloud().baseUrl }).start([
      'listen',
      '--forward-to',
      hook.url,
    ]);
    await ready(running);
    await client.apiKeys.delete(id);
    const { code, err } = await running.ended;
    expect(code).toBe(1);
    expect(err).toMatch(/error: .*\(unauthorized\)[\s\S]*parley login[\s\S]*request /);
    expect(err).not.toContain(key);
  });

  it.each(['ftp://localhost/', 'http://', 'http://user:pass@localhost/'])(
    'refuses to forward to %s',
    async (url) => {
      const ours = await workspace();
      const { code, err } = await cliOf(ours).run(['listen', '--forward-to', url]);
      expect(code).toBe(2);
      expect(err).toContain('--forward-to is an address such as http://localhost:3000/hook.');
    },
  );
});

describe('tail', () => {
  it('prints events as JSON lines, and ends quietly when nobody reads them', async () => {
    const ours = await workspace();
    await send(ours);
    const ids = await logged(ours);
    const running = cliOf(ours).start(['tail', '--json', '--since', '1h']);
    await running.until(new RegExp(ids.at(-1) ?? ''));
    const shown = running
      .out()
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line).id);
    expect(shown.toSorted()).toEqual(ids.toSorted());
    running.child.stdout.destroy();
    await send(ours);
    expect(await running.ended).toMatchObject({ code: 0, err: '' });
  });

  it('shows hostile words of a mail without obeying them', async () => {
    const ours = await workspace();
    const hostile = 'pay\u001b[2J\u001b]0;owned\u0007 \u202egpj.exe \u009b31m';
    await cloud().sendMail({
      from: 'eve@example.test',
      to: `support@${ours.providedDomain}`,
      subject: hostile,
      text: `${hostile}\n\u001b[1A\u001b[2Khidden\n`,
      attachments: [{ filename: '\u001b[31mx\u202e.pdf', content: 'x' }],
    });
    await logged(ours);
    const home = cliOf(ours, { FORCE_COLOR: '1' });
    const tail = home.start(['tail', '--since', '1h', '--type', 'email.received']);
    await tail.until(/email\.received/);
    await tail.interrupt();
    const { data } = JSON.parse((await home.run(['threads', '--json'])).out);
    const read = await home.run(['read', data[0].id]);
    const json = await home.run(['read', data[0].id, '--json']);
    const list = await home.run(['threads']);
    expect(read.out).toContain('hidden');
    for (const text of [tail.out(), read.out, list.out, json.out]) {
      expect(text.replaceAll(colors, '').replaceAll('\n', '')).not.toMatch(controls);
      expect(text).not.toContain('\u001b[31mx');
    }
    expect(JSON.parse(json.out).messages[0].attachments[0].filename).toContain('.pdf');
  });
});

describe('trigger', () => {
  it.each([
    'email.sent',
    'email.delivered',
    'email.bounced',
    'email.complained',
    'email.received',
    'thread.created',
  ])('makes a real %s', async (type) => {
    const ours = await workspace();
    const { code, out, err } = await cliOf(ours).run(['trigger', type, '--json']);
    expect({ code, err }).toEqual({ code: 0, err: '' });
    const event = JSON.parse(out);
    expect(event.type).toBe(type);
    expect(await logged(ours)).toContain(event.id);
  });

  it('says what it cannot make, and posts a signed example of anything', async () => {
    const ours = await workspace();
    const home = cliOf(ours);
    const refused = await home.run(['trigger', 'mailbox.connected']);
    expect(refused).toMatchObject({ code: 2, err: expect.stringContaining('connect a mailbox') });
    const hook = await receiver();
    const { code, out } = await home.run(['trigger', 'mailbox.connected', '--forward-to', hook.url]);
    expect(code).toBe(0);
    const { body, headers } = await hook.waitFor();
    expect(await verifyWebhook(body, headers as Record<string, string>, secretOf(out))).toMatchObject({
      type: 'mailbox.connected',
    });
    expect(await logged(ours)).toEqual([]);
  });
});
