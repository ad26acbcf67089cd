/** A program that uses the TypeScript library in every way that a runtime could spoil; `npm run bench:clients` runs it in each. */
import { NotFoundError, Parley, verifyWebhook, WebhookVerificationError } from 'parley-client';

/** What a runtime is given. */
export interface ProbeInput {
  readonly apiKey: string;
  readonly baseUrl: string;
  readonly from: string;
  /** A webhook, signed now. */
  readonly webhook: {
    readonly body: string;
    readonly headers: Record<string, string>;
    readonly secret: string;
  };
  /** A file of the machine; null where the runtime has none. */
  readonly path: string | null;
  /** Whether the runtime reaches the store of files: a browser needs its permission (CORS). */
  readonly uploads: boolean;
}

/** The steps that passed. @throws Error of the first one that failed */
export async function probe(input: ProbeInput): Promise<string[]> {
  const { apiKey, baseUrl, from } = input;
  const parley = new Parley({ apiKey, baseUrl });
  const done: string[] = [];
  const mail = { from, to: 'anna@example.test', subject: 'Probe', text: 'Hello' };
  const small = { filename: 'a.csv', content: new Blob(['a,b\n1,2\n']).stream() };
  const sent = await parley.emails.send({ ...mail, attachments: [small] });
  done.push('send');
  await parley.threads.reply(sent.thread_id, { text: 'More.', to: mail.to });
  done.push('reply');
  for await (const { id } of parley.emails.list({ limit: 1, thread_id: sent.thread_id })) {
    if (!id.startsWith('eml_')) throw new Error(`the id ${id}`);
  }
  done.push('lists');
  await expectError(() => parley.emails.retrieve(`eml_${'0'.repeat(32)}`), NotFoundError);
  await expectError(() => parley.emails.list({}, { signal: AbortSignal.abort() }).toArray({ max: 1 }), Error);
  done.push('errors');
  const { body, headers, secret } = input.webhook;
  await verifyWebhook(new Request('https://a.example', { method: 'POST', body, headers }), secret);
  await expectError(() => verifyWebhook(`${body} `, headers, secret), WebhookVerificationError);
  done.push('webhooks');
  if (input.path !== null) {
    await parley.emails.send({ ...mail, attachments: [{ path: input.path }] });
    done.push('paths');
  }
  if (!input.uploads) return done;
  const bytes = fiveMegabytes();
  const large = await parley.emails.send({ ...mail, attachments: [{ filename: 'b.bin', content: bytes }] });
  const { attachments } = await parley.emails.retrieve(large.id);
  const file = await parley.attachments.download(attachments[0]?.id ?? '');
  const { byteLength } = await file.arrayBuffer();
  if (byteLength !== bytes.length) throw new Error(`the file has ${byteLength} bytes`);
  done.push('uploads', 'downloads');
  return done;
}

/** 5 MB that differ. */
function fiveMegabytes(): Uint8Array {
  return Uint8Array.from({ length: 5 * 1024 * 1024 }, (_, index) => (index * 2654435761) >>> 13);
}

async function expectError(
  call: () => Promise<unknown>,
  kind: new (...args: never[]) => Error,
): Promise<void> {
  try {
    await call();
  } catch (error) {
    if (error instanceof kind) return;
    throw error;
  }
  throw new Error(`there is no ${kind.name}`);
}
