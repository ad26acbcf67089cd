/**
 * A support agent: it answers each message of a person with a file, and asks again after three days unless the person answers.
 * Run it with `PARLEY_API_KEY`, `PARLEY_BASE_URL` and `PARLEY_WEBHOOK_SECRET`; the endpoint subscribes to `email.received`.
 */
import { createServer } from 'node:http';
import { buffer } from 'node:stream/consumers';
import {
  type EmailReceivedEvent,
  type FullEmail,
  type Parley,
  WebhookVerificationError,
} from 'parley-client';

const threeDaysMs = 3 * 24 * 3600 * 1000;

/** What the agent says; a model in your program. */
export type Answer = (messages: readonly FullEmail[]) => Promise<{ text: string; file: Uint8Array }>;

/** Handles one event. An event can arrive twice: every step may be repeated. */
export async function handle(parley: Parley, event: EmailReceivedEvent, answer: Answer): Promise<void> {
  const { thread_id: thread, category } = event.data;
  if (category !== 'human') return;

  const messages: FullEmail[] = [];
  for await (const message of parley.threads.messages(thread)) messages.push(message);
  const { text, file } = await answer(messages);

  // Keys that come from the event: whoever handles it again sends nothing again.
  await parley.threads.reply(
    thread,
    { text, attachments: [{ filename: 'answer.csv', content: file }] },
    { idempotencyKey: `${event.id} reply` },
  );
  await parley.threads.reply(
    thread,
    {
      text: 'Did this help? If not, just answer.',
      scheduled_at: new Date(Date.parse(event.created_at) + threeDaysMs),
      // The person's answer cancels it.
      cancel_on_reply: true,
    },
    { idempotencyKey: `${event.id} follow-up` },
  );
}

/** The receiver of the webhooks. */
export function agentServer(parley: Parley, secret: string, answer: Answer) {
  return createServer(async (request, response) => {
    try {
      const event = await parley.webhooks.verify(await buffer(request), request.headers, secret);
      if (event.type === 'email.received') await handle(parley, event, answer);
      response.writeHead(204).end();
    } catch (error) {
      // Anything but 2xx is delivered again later.
      response.writeHead(error instanceof WebhookVerificationError ? 400 : 500).end();
      console.error(error);
    }
  });
}
