/** Where the bench plays: a local cloud of its own, a workspace, and what stands around them. */

import { randomBytes } from 'node:crypto';
import { createTransport } from 'nodemailer';
import { namesOf } from '../../lib/constructs/names.ts';
import type { Workspace } from '../../lib/core/workspaces/workspace.ts';
import { type Cloud, type LimitChanges, startCloud } from '../../lib/local/index.ts';
import { createKey } from '../../lib/services/api-keys/api-keys.ts';
import { createWorkspace } from '../../lib/services/workspaces/workspaces.ts';
import { apiPath } from '../../test/support/api-path.ts';
import { listen } from '../listen.ts';
import { patiently } from '../run-cloud.ts';
import { type Observer, observe } from './observe.ts';

/** What calls need of a local cloud, in this process or in another. */
export interface Scene {
  readonly cloud: Pick<Cloud, 'controlUrl'> & { readonly clock: Pick<Cloud['clock'], 'now' | 'advance'> };
  /** Makes a workspace with a client of its own. */
  workspace(): Promise<Tenant>;
  /** Starts a webhook receiver, which calls `onEvent` with every event. @param statusOf its answers, default 200 */
  receiver(onEvent?: (event: ReceivedEvent) => void, statusOf?: () => number): Promise<string>;
  /** Hands mail in at the SMTP port, over connections that are kept. */
  mailIn(mail: MailIn): Promise<void>;
  /** Waits until nothing moves, however long that takes. */
  rest(): Promise<void>;
}

export interface Stage extends Scene {
  readonly cloud: Cloud;
  readonly observer: Observer;
  close(): Promise<void>;
}

export interface Tenant extends Workspace {
  /** An address on our side. */
  readonly address: string;
  call(method: string, path: string, body?: unknown): Promise<Answer>;
}

export interface Answer {
  readonly status: number;
  readonly body: AnyRecord;
  /** From the request to the last byte of the answer. */
  readonly ms: number;
}

/** Fields that most answers have. */
export interface AnyRecord {
  readonly id: string;
  readonly thread_id: string;
  readonly message_id: string;
  readonly data: readonly AnyRecord[];
  readonly attachments: readonly AnyRecord[];
  /** Of an attachment. */
  readonly preparation: { readonly status: string } | null;
}

export interface ReceivedEvent {
  readonly id: string;
  readonly type: string;
  readonly data: { readonly email_id?: string; readonly subject?: string };
}

export interface MailIn {
  readonly from: string;
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  readonly messageId?: string;
  readonly inReplyTo?: string;
  readonly attachments?: { readonly filename: string; readonly content: Buffer }[];
}

/** Names of the local cloud's deployment, as far as they follow from its prefix alone. */
export const localNames = namesOf({ prefix: 'parley', account: '', homeRegion: '' });

/** Keeps the deployment's own workers from what is owed, until it is released: the process that is measured does it. */
export function holdRelay({ cloud: { faults } }: Stage): { release(): void } {
  const held = ['SendMessage', 'SendMessageBatch'].map((action) =>
    faults.add({
      service: 'sqs',
      action,
      principal: localNames.workerFunction('relay'),
      times: Number.POSITIVE_INFINITY,
      kind: 'error',
    }),
  );
  return {
    release() {
      for (const fault of held) faults.remove(fault);
    },
  };
}

/** @param options.limits rates and quotas of the cloud; default: its own */
export async function startStage(options: { readonly limits?: LimitChanges } = {}): Promise<Stage> {
  const cloud = await startCloud({ publishesTestDomains: true, ...options });
  Object.assign(process.env, cloud.environment);
  const observer = observe(cloud);
  const smtp = startMailIn(cloud.smtpPort);
  const closers: (() => Promise<void> | void)[] = [cloud.close, smtp.close];
  return {
    cloud,
    observer,
    workspace: () => newTenant(cloud.baseUrl),
    async receiver(onEvent = () => {}, statusOf = () => 200) {
      const { url, close } = await startReceiver(onEvent, statusOf);
      closers.push(close);
      return url;
    },
    mailIn: smtp.mailIn,
    rest: () => patiently(cloud.settle),
    close: async () => {
      for (const closer of closers.toReversed()) await closer();
    },
  };
}

/** Delivers mail at an SMTP port. */
export function startMailIn(port: number): Pick<Scene, 'mailIn'> & { close(): void } {
  const smtp = createTransport({
    host: '127.0.0.1',
    port,
    ignoreTLS: true,
    pool: true,
    maxConnections: 10,
    maxMessages: Number.POSITIVE_INFINITY,
  });
  return {
    async mailIn({ from, to, ...parts }) {
      await smtp.sendMail({ envelope: { from, to }, from, to, ...parts });
    },
    close: () => smtp.close(),
  };
}

/** A new workspace; the environment of this process is that of the deployment. */
export async function newTenant(baseUrl: string): Promise<Tenant> {
  const slug = `bench-${randomBytes(4).toString('hex')}`;
  const workspace = await createWorkspace({ slug, name: slug });
  const { token } = await createKey(workspace.id, { name: 'bench', scope: 'full' });
  return {
    ...workspace,
    address: `support@${workspace.providedDomain}`,
    async call(method, path, body) {
      const startedAt = performance.now();
      const response = await fetch(new URL(apiPath(path), baseUrl), {
        method,
        redirect: 'manual',
        headers: {
          authorization: `Bearer ${token}`,
          ...(body !== undefined && { 'content-type': 'application/json' }),
        },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      });
      const text = await response.text();
      const ms = performance.now() - startedAt;
      return { status: response.status, body: text === '' ? null : JSON.parse(text), ms };
    },
  };
}

/** Starts a webhook receiver. */
export async function startReceiver(
  onEvent: (event: ReceivedEvent) => void,
  statusOf: () => number,
): Promise<{ url: string; close: () => void }> {
  const { origin, close } = await listen(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
    onEvent(JSON.parse(Buffer.concat(chunks).toString()));
    response.statusCode = statusOf();
    response.end();
  });
  return { url: `${origin}/hook`, close };
}

/** The body of an answer that must be a success. */
export function succeeded({ status, body }: Answer): AnyRecord {
  if (status >= 400) throw new Error(`a call of the bench was refused: ${status} ${JSON.stringify(body)}`);
  return body;
}
