/** The cloud that a test runs on: its control routes, and mail from outside. */
import { createTransport, type SendMailOptions } from 'nodemailer';
import type { CloudAddress } from './cloud-address.ts';

/** A mail as it comes in over SMTP: envelope, and a message in parts or in bytes. */
export interface MailIn {
  readonly from: string;
  readonly to: string | readonly string[];
  /** The whole message; header lines below are then of no use. */
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

/** Mail handed to SES, as the control routes show it. */
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
}

export interface TestCloud extends CloudAddress {
  /** Calls a control route; throws with its error where it refuses. */
  control<T = unknown>(method: 'GET' | 'POST' | 'DELETE', path: string, body?: unknown): Promise<T>;
  /** Waits until nothing is on its way but what waits for the clock. */
  settle(): Promise<void>;
  /** Moves the clock; only for files named `*.clock.test.ts`. */
  advance(seconds: number): Promise<void>;
  /** What was handed to SES for an address, oldest first. */
  sentTo(address: string): Promise<readonly SentMail[]>;
  /** One such mail with its bytes as text. */
  sent(id: string): Promise<SentMail & { readonly raw: string; readonly wire: string }>;
  /** Hands a mail in at the SMTP port. Rejects where the port refuses it. */
  sendMail(mail: MailIn): Promise<void>;
}

let current: TestCloud | undefined;

/** Called by the set-up files: makes the cloud `cloud()`, and this thread its administrator. */
export function useCloud(address: CloudAddress): void {
  Object.assign(process.env, address.environment);
  current = testCloud(address);
}

/** The cloud of this test. */
export function cloud(): TestCloud {
  if (!current) throw new Error('this test is in a folder whose tests have no cloud; see vitest.config.ts');
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
    settle: async () => void (await control('POST', '/settle')),
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
