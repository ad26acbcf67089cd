import { createRemoteJWKSet, jwtVerify } from 'jose';
import { afterEach, describe, expect, it } from 'vitest';
import { setUpGoogle } from './google-kit.ts';
import { startPushEndpoint } from './push-endpoint.ts';

const closing: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

const address = 'anna@gmail.com';
const topic = 'projects/local/topics/gmail';

async function setUp(statuses?: number[]) {
  const kit = await setUpGoogle();
  closing.push(kit.close);
  const { url, received, close } = await startPushEndpoint(statuses);
  closing.push(close);
  kit.google.pubSub.subscribe({
    name: 'projects/local/subscriptions/gmail',
    topic,
    pushEndpoint: url,
    audience: url,
    serviceAccount: 'push@local.iam.gserviceaccount.com',
  });
  const settled = () => kit.google.pushes.idle();
  const gmail = await kit.gmailOf();
  const mailbox = kit.google.mailboxes.of(address);
  let count = 0;
  const receive = () => mailbox.receive(Buffer.from(`Message-ID: <${++count}@example.test>\r\n\r\n`));
  return { ...kit, gmail, mailbox, received, receive, settled, url };
}

const dataOf = ({ body }: { body: string }) =>
  JSON.parse(Buffer.from(JSON.parse(body).message.data, 'base64').toString());

describe('a watch of Gmail', () => {
  it('lasts seven days and pushes each change to the topic with a signed token', async () => {
    const { google, gmail, clock, mailbox, received, receive, settled, url } = await setUp();
    const { status, body } = await gmail('POST', 'watch', { topicName: topic });
    expect([status, body.historyId]).toEqual([200, String(mailbox.historyId())]);
    const days = (Number(body.expiration) - clock.now()) / 86_400_000;
    expect(days).toBeCloseTo(7, 3);
    receive();
    await settled();
    const [push, ...more] = received;
    expect([dataOf(push ?? { body: '' }), more]).toEqual([
      { emailAddress: address, historyId: String(mailbox.historyId()) },
      [],
    ]);
    expect(JSON.parse(push?.body ?? '')).toEqual({
      message: {
        data: expect.any(String),
        messageId: expect.stringMatching(/^\d{16}$/),
        message_id: expect.any(String),
        publishTime: expect.any(String),
        publish_time: expect.any(String),
      },
      subscription: 'projects/local/subscriptions/gmail',
    });
    const keys = createRemoteJWKSet(new URL('/oauth2/v3/certs', google.url));
    const { payload } = await jwtVerify(push?.authorization.replace('Bearer ', '') ?? '', keys, {
      issuer: google.url,
      audience: url,
    });
    expect(payload).toMatchObject({ email: 'push@local.iam.gserviceaccount.com', email_verified: true });
  });

  it('ends after seven days and when it is stopped', async () => {
    const { gmail, gmailOf, clock, received, receive, settled } = await setUp();
    await gmail('POST', 'watch', { topicName: topic });
    await clock.advance(7 * 86_400_000);
    receive();
    const later = await gmailOf();
    await later('POST', 'watch', { topicName: topic });
    expect((await later('POST', 'stop')).status).toBe(204);
    receive();
    await settled();
    expect(received).toEqual([]);
  });

  it('ends when the user revokes the app', async () => {
    const { google, gmail, received, receive, settled } = await setUp();
    await gmail('POST', 'watch', { topicName: topic });
    google.grants.revoke(address);
    receive();
    await settled();
    expect(received).toEqual([]);
  });

  it.each([
    [{ labelIds: ['INBOX'] }, 1],
    [{ labelIds: ['SENT'] }, 0],
    [{ labelIds: ['SENT'], labelFilterBehavior: 'exclude' }, 1],
    [{ labelIds: ['INBOX'], labelFilterBehavior: 'EXCLUDE' }, 0],
  ])('pushes changes of the labels %j', async (filter, count) => {
    const { gmail, received, receive, settled } = await setUp();
    await gmail('POST', 'watch', { topicName: topic, ...filter });
    receive();
    await settled();
    expect(received).toHaveLength(count);
  });

  it('needs a topic that exists', async () => {
    const { gmail } = await setUp();
    expect((await gmail('POST', 'watch', { topicName: 'gmail' })).status).toBe(400);
    expect((await gmail('POST', 'watch', { topicName: 'projects/local/topics/none' })).status).toBe(404);
  });
});

describe('pushes of Pub/Sub', () => {
  it('are repeated with backoff until they are acknowledged', async () => {
    const { gmail, clock, received, receive, settled } = await setUp([503, 400]);
    await gmail('POST', 'watch', { topicName: topic });
    receive();
    await settled();
    expect(received).toHaveLength(1);
    await clock.advance(10_000);
    await settled();
    await clock.advance(19_000);
    expect(received).toHaveLength(2);
    await clock.advance(1_000);
    await settled();
    await clock.advance(86_400_000);
    await settled();
    expect(received).toHaveLength(3);
    expect(new Set(received.map(({ body }) => body)).size).toBe(1);
  });

  it('are held, repeated, reordered and dropped on request', async () => {
    const { google, gmail, received, receive, settled } = await setUp();
    await gmail('POST', 'watch', { topicName: topic });
    const { gate } = google.pushes;
    gate.hold(true);
    for (let count = 0; count < 4; count++) receive();
    expect(gate.held()).toHaveLength(4);
    const sent = gate.held().map(({ body }) => body);
    expect(gate.release({ duplicate: true, shuffle: 1 })).toBe(8);
    await settled();
    const bodies = received.map(({ body }) => body);
    expect([...bodies].sort()).toEqual([...sent, ...sent].sort());
    expect(bodies).not.toEqual(sent.flatMap((body) => [body, body]));
    receive();
    expect(gate.drop()).toBe(1);
    gate.hold(false);
    await settled();
    expect(received).toHaveLength(8);
  });
});
