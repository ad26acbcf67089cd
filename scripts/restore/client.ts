/** A customer's program in a drill, which knows what it was told. */
import { randomUUID } from 'node:crypto';
import { sendOverSmtp } from '../fuzz/smtp-client.ts';

export interface EmailBody {
  readonly id: string;
  readonly status: string;
  readonly subject: string;
  readonly thread_id: string;
}

export interface Client {
  /** null: the API failed; the program does not know what became of its request. */
  call<T>(method: string, path: string, body?: object): Promise<T | null>;
  /** null: there is no such email. @throws Error for any other answer */
  find(id: string): Promise<EmailBody | null>;
  /** All items of a list. */
  list<T>(path: string): Promise<T[]>;
  /** Sends a message from outside; whether SES took it. */
  write(to: string, subject: string): Promise<boolean>;
}

/** @param at the base URL of the API and the port of inbound mail */
export function newClient(
  at: { readonly baseUrl: string; readonly smtpPort: number },
  token: string,
): Client {
  const request = (method: string, path: string, body?: object) =>
    fetch(`${at.baseUrl}${path}`, {
      method,
      headers: {
        authorization: `Bearer ${token}`,
        'content-type': 'application/json',
        'idempotency-key': randomUUID(),
      },
      ...(body && { body: JSON.stringify(body) }),
    });
  const read = async <T>(path: string): Promise<T | null> => {
    // On a busy machine, calls of a function time out.
    for (let tries = 1; ; tries++) {
      const response = await request('GET', path);
      if (response.ok) return (await response.json()) as T;
      if (response.status === 404) return null;
      if (response.status < 429 || tries === 5) {
        throw new Error(`GET ${path} answered ${response.status}: ${await response.text()}`);
      }
    }
  };
  return {
    async call<T>(method: string, path: string, body?: object) {
      const response = await request(method, path, body);
      if (!response.ok) return null;
      return (response.status === 204 ? {} : await response.json()) as T;
    },
    find: (id) => read<EmailBody>(`/emails/${id}`),
    async list<T>(path: string) {
      const items: T[] = [];
      let cursor: string | null = null;
      do {
        const page: { data: T[]; next_cursor: string | null } | null = await read(
          `${path}${path.includes('?') ? '&' : '?'}limit=100${cursor ? `&cursor=${cursor}` : ''}`,
        );
        items.push(...(page?.data ?? []));
        cursor = page?.next_cursor ?? null;
      } while (cursor);
      return items;
    },
    async write(to, subject) {
      const from = 'anna@people.example.test';
      const lines = [
        `From: Anna <${from}>`,
        `To: ${to}`,
        `Subject: ${subject}`,
        `Message-ID: <${randomUUID()}@people.example.test>`,
        'MIME-Version: 1.0',
        'Content-Type: text/plain; charset=utf-8',
        '',
        `This is ${subject}.`,
        '',
      ];
      const reply = await sendOverSmtp(at.smtpPort, { from, to, raw: Buffer.from(lines.join('\r\n')) });
      return reply.isAccepted;
    },
  };
}

/** Creates what the load needs. On a busy machine, calls of a function time out. */
export async function demand(client: Client, path: string, body: object): Promise<void> {
  for (let tries = 1; tries <= 5; tries++) if (await client.call('POST', path, body)) return;
  throw new Error(`POST ${path} was refused`);
}
