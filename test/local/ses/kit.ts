/** A local SES in a test: a clock, a zone, and all published and stored messages. */
import { generateKeyPairSync } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { SESv2Client } from '@aws-sdk/client-sesv2';
import { type AwsCall, AwsError, localAccount } from '../../../lib/local/aws/service.ts';
import type { DnsFault } from '../../../lib/local/dns/message.ts';
import { createZoneResolver } from '../../../lib/local/dns/resolver.ts';
import { createZone } from '../../../lib/local/dns/zone.ts';
import { type EventType, eventTypes } from '../../../lib/local/ses/events.ts';
import { createSes, type LocalSes, type SesOptions } from '../../../lib/local/ses/ses.ts';

export const home = 'eu-central-1';
export const other = 'us-east-1';
export const startsAt = Date.UTC(2026, 10, 21, 8, 30);
export const eventTopic = `arn:aws:sns:${home}:${localAccount}:provider-events`;
export const inboundTopic = `arn:aws:sns:${home}:${localAccount}:inbound`;

export function createKit(options: Partial<SesOptions> = {}) {
  let at = startsAt;
  let timers: { at: number; action: () => void }[] = [];
  const clock = {
    now: () => at,
    at: (due: number, action: () => void) => {
      const timer = { at: due, action };
      timers.push(timer);
      return () => {
        timers = timers.filter((other) => other !== timer);
      };
    },
    advance: (ms: number) => {
      at += ms;
      const due = timers.filter((timer) => timer.at <= at);
      timers = timers.filter((timer) => timer.at > at);
      for (const { action } of due) action();
    },
  };
  const zone = createZone();
  const faults = new Map<string, DnsFault>();
  const published: { topicArn: string; message: Record<string, unknown> }[] = [];
  const stored = new Map<string, Buffer>();
  const ses = createSes({
    clock,
    account: localAccount,
    regions: [home, other],
    resolver: createZoneResolver(zone, (name) => faults.get(name)),
    publish: (topicArn, message) => {
      published.push({ topicArn, message: JSON.parse(message) });
    },
    store: async (bucket, key, body) => {
      stored.set(`${bucket}/${key}`, body);
      return true;
    },
    ...options,
  });
  ses.addVerifiedIdentity(home, 'sender.test');
  ses.setConfigurationSet(home, 'set', {
    topicArn: eventTopic,
    eventTypes: Object.keys(eventTypes) as EventType[],
  });
  return { ses, clock, zone, faults, published, stored };
}

/** The rule of the mail stack: all recipients at verified domains. */
export function catchAll(region: string) {
  return {
    name: 'rules',
    active: true,
    rules: [
      {
        name: 'catch-all',
        s3: { bucket: `raw-${region}`, prefix: 'inbound/', topicArn: inboundTopic },
        scanEnabled: true,
        enabled: true,
      },
    ],
  };
}

/** A message of lines. */
export function message(...lines: string[]): Buffer {
  return Buffer.from(lines.map((line) => `${line}\r\n`).join(''));
}

export function plainMessage(from = 'Ann <ann@sender.test>', to = 'bob@example.com'): Buffer {
  return message(
    `From: ${from}`,
    `To: ${to}`,
    'Subject: Hello',
    'Message-ID: <own@parley>',
    'Date: Sat, 21 Nov 2026 08:00:00 +0000',
    '',
    'Hi.',
  );
}

export function dkimKey(bits = 2048) {
  const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: bits });
  const pkcs8 = privateKey.export({ format: 'der', type: 'pkcs8' }).toString('base64');
  const pkcs1 = privateKey.export({ format: 'der', type: 'pkcs1' }).toString('base64');
  const spki = publicKey.export({ format: 'der', type: 'spki' }).toString('base64');
  return { pkcs8, pkcs1, record: `v=DKIM1; k=rsa; p=${spki}` };
}

/** The SDK's client against a service, without the gateway. */
export async function startSdk(ses: LocalSes, region = home) {
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const url = new URL(request.url ?? '/', 'http://local');
    const call: AwsCall = {
      principal: 'local-admin',
      service: 'ses',
      region,
      method: request.method ?? '',
      path: decodeURIComponent(url.pathname),
      rawPath: decodeURIComponent(url.pathname),
      query: url.searchParams,
      headers: {},
      body: Buffer.concat(chunks),
    };
    const answer = await Promise.resolve()
      .then(() => ses.permissions(call))
      .then(() => ses.handle(call))
      .catch((error: unknown) => {
        if (error instanceof AwsError) return ses.errorResponse(error, call);
        throw error;
      });
    response.writeHead(answer.status, answer.headers).end(answer.body);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const client = new SESv2Client({
    region,
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    credentials: { accessKeyId: 'local-admin', secretAccessKey: 'local' },
    maxAttempts: 1,
  });
  return {
    client,
    close: async () => {
      client.destroy();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
