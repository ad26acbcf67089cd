/** Mailboxes at the emulated providers, connected by consent. */
import { randomUUID } from 'node:crypto';
import { mailboxProviders } from '../../lib/core/mailboxes/mailbox.ts';
import { type Api, api } from './api.ts';
import { cloud } from './cloud.ts';
import { connectAt } from './connect-mailbox.ts';
import type { TestWorkspace } from './workspace.ts';

export const providers = mailboxProviders;
export type Provider = (typeof providers)[number];

/** The call that sends a message, for faults. */
export const sendCalls = {
  google: { service: 'gmail', action: 'messages.send' },
  microsoft: { service: 'graph', action: 'sendMail' },
} as const;

/** A message in a folder of a mailbox. */
interface Stored {
  readonly subject: string;
  readonly folder: string;
  readonly raw: string;
}

export interface ConnectedMailbox {
  readonly id: string;
  readonly address: string;
  /** A message arrives. */
  receive(raw: string): Promise<void>;
  /** Its owner sends a message. */
  send(raw: string): Promise<void>;
  stored(folder: string): Promise<Stored[]>;
}

/** Further fields of the connection, and what happens before the consent. */
interface Connection extends Readonly<Record<string, unknown>> {
  readonly before?: (receive: ConnectedMailbox['receive']) => Promise<void>;
}

let made = 0;

/** Connects a new mailbox. */
export async function connectMailbox(
  own: TestWorkspace,
  provider: Provider,
  { before, ...given }: Connection = {},
): Promise<ConnectedMailbox> {
  const client = api(own);
  const address = `mail-${++made}@${own.slug}-${provider}.example`;
  const account = `/mailbox-providers/${provider}/accounts/${address}`;
  const receive = async (raw: string) => void (await cloud().control('POST', `${account}/messages`, { raw }));
  await cloud().control('POST', `/mailbox-providers/${provider}/accounts`, { address });
  await before?.(receive);
  const request = { provider, return_to: 'https://acme.test/connected', ...given };
  const { body } = await client.post('/mailboxes/connect', request);
  const id = await connectAt(String(body.url), { address });
  await cloud().waitForQuiescence();
  return {
    id,
    address,
    receive,
    send: async (raw) => void (await cloud().control('POST', `${account}/send`, { raw })),
    async stored(folder) {
      const path = `${account}/messages?folder=${folder}`;
      return (await cloud().control<{ data: Stored[] }>('GET', path)).data;
    },
  };
}

/** Disconnects the mailboxes of a workspace: their polls would keep the queues of other files busy. */
export async function disconnectAll(client: Api): Promise<void> {
  const { body } = await client.get('/mailboxes?limit=100');
  const connected = body.data.filter(({ state }) => state !== 'disconnected');
  for (const { id } of connected) await client.delete(`/mailboxes/${id}`);
  await cloud().waitForQuiescence();
}

/** Lets pushes and polls do their work. */
export async function settle(seconds = 200): Promise<void> {
  await cloud().waitForQuiescence();
  await cloud().advance(seconds);
  await cloud().waitForQuiescence();
}

/** A message of somebody else. */
export const message = (from: string, to: string, subject: string, more = ''): string =>
  `From: ${from}\r\nTo: ${to}\r\nSubject: ${subject}\r\nMessage-ID: <${randomUUID()}@elsewhere.test>\r\n${more}\r\nHello\r\n`;
