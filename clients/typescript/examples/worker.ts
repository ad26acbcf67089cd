/** A Worker of Cloudflare: it tells a channel about mail that did not arrive. */
import { verifyWebhook, WebhookVerificationError } from 'parley-client';

interface Env {
  readonly PARLEY_WEBHOOK_SECRET: string;
  /** Takes `{"text": …}`, as the webhooks of chat services do. */
  readonly CHANNEL_URL: string;
}

interface Context {
  waitUntil(promise: Promise<unknown>): void;
}

export default {
  async fetch(request: Request, env: Env, context: Context): Promise<Response> {
    try {
      const event = await verifyWebhook(request, env.PARLEY_WEBHOOK_SECRET);
      if (event.type === 'email.bounced') {
        const text = `No delivery to ${event.data.recipients.join(', ')}: ${event.data.reason}`;
        // The answer does not wait for the channel.
        context.waitUntil(fetch(env.CHANNEL_URL, { method: 'POST', body: JSON.stringify({ text }) }));
      }
      return new Response(null, { status: 204 });
    } catch (error) {
      if (error instanceof WebhookVerificationError) return new Response(error.message, { status: 400 });
      throw error;
    }
  },
};
