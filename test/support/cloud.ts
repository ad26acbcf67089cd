/** The local cloud of a test: its control routes, and SMTP. */
import { createTransport, type SendMailOptions } from 'nodemailer';
import type { CloudAddress } from './cloud-address.ts';
import { throwIfTestIsOver } from './test-requests.ts';

/** Inbound mail over SMTP: an envelope, and a message as fields or as bytes. */
export interface MailIn {
  readonly from: string;
  readonly to: string | readonly string[];
  /** The whole message; the fields below are then ignored. */
  readonly raw?: string | Buffer;
  readonly subject?: string;
  readonly text?: string;
  readonly html?: string;
  readonly messageId?: string;
  readonly inReplyTo?: string;
  readonly references?: string | string[];
  readonly headers?: Readonly<Record<string, string>>;
  readonly attachments?: SendMailOptions['attachments'];
}

/** Mail that SES accepted, as the control routes show it. */
export interface SentMail {
  readonly id: string;
  readonly message_id: string;
  readonly region: string;
  readonly at: string;
  readonly from: string;
  readonly recipients: readonly string[];
  readonly destination: { readonly to: string[]; readonly cc: string[]; readonly bcc: string[] };
  readonly tags: Readonly<Record<string, string>>;
  readonly configurationSet: string | null;
  readonly tenant: string | null;
}

export interface TestCloud extends CloudAddress {
  /** Calls a control route; throws the error of a refusal. */
  control<T = unknown>(method: 'GET' | 'POST' | 'DELETE', path: string, body?: unknown): Promise<T>;
  /** Waits until nothing runs and nothing is queued but what waits for the clock. */
  waitForQuiescence(): Promise<void>;
  /** Moves the clock; only for files named `*.clock.test.ts`. */
  advance(seconds: number): Promise<void>;
  /** Mail that SES accepted for an address, oldest first. */
  sentTo(address: string): Promise<readonly SentMail[]>;
  /** One such mail, with the submitted message and the one on the wire. */
  sent(id: string): Promise<SentMail & { readonly raw: string; readonly wire: string }>;
  /** Delivers a mail to the SMTP port. Rejects when the port refuses it. */
  sendMail(mail: MailIn): Promise<void>;
}

let current: TestCloud | undefined;

/** Called by the set-up file: sets what `cloud()` returns, and the credentials of this thread. */
export function useCloud(address: CloudAddress): void {
  Object.assign(process.env, address.environment);
  current = testCloud(address);
}

/** The cloud of this test. */
export function cloud(): TestCloud {
  if (!current) throw new Error('tests of this folder have no cloud; see vitest.config.ts');
  return current;
}

function testCloud(address: CloudAddress): TestCloud {
  async function control<T>(method: 'GET' | 'POST' | 'DELETE', path: string, body?: unknown): Promise<T> {
    const response = await fetch(`${address.controlUrl}${path}`, {
      method,
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${method} ${path}: ${text}`);
    return (
      text && response.headers.get('content-type') === 'application/json' ? JSON.parse(text) : text
    ) as T;
  }

  return {
    ...address,
    control,
    waitForQuiescence: async () => void (await control('POST', '/settle')),
    advance: async (seconds) => void (await control('POST', '/clock', { advance_seconds: seconds })),
    sentTo: async (to) => {
      const { data } = await control<{ data: SentMail[] }>('GET', `/sent?to=${encodeURIComponent(to)}`);
      return data;
    },
    sent: (id) => control('GET', `/sent/${id}`),
    sendMail: (mail) => sendMail(address.smtpPort, mail),
  };
}

async function sendMail(port: number, mail: MailIn): Promise<void> {
  throwIfTestIsOver();
  const { from, to, raw, headers, ...parts } = mail;
  const recipients = [to].flat() as string[];
  const transport = createTransport({ host: '127.0.0.1', port, secure: false, ignoreTLS: true });
  try {
    await transport.sendMail({
      envelope: { from, to: recipients },
      ...(raw === undefined
        ? { from, to: recipients, ...parts, ...(headers && { headers: { ...headers } }) }
        : { raw }),
    });
  } finally {
    transport.close();
  }
}
