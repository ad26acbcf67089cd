/** A route handler of Next.js: `app/api/parley/route.ts`. It acknowledges mail that a person wrote. */
import { Parley, verifyWebhook, WebhookVerificationError } from 'parley-client';

export async function POST(request: Request): Promise<Response> {
  try {
    const event = await verifyWebhook(request, process.env.PARLEY_WEBHOOK_SECRET ?? '');
    if (event.type === 'email.received' && event.data.category === 'human') {
      await new Parley().threads.reply(
        event.data.thread_id,
        { text: `We have your message "${event.data.subject}" and answer within a day.` },
        { idempotencyKey: event.id },
      );
    }
    return new Response(null, { status: 204 });
  } catch (error) {
    if (error instanceof WebhookVerificationError) return new Response(error.message, { status: 400 });
    throw error;
  }
}
