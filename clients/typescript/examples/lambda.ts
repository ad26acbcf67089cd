/** A function of AWS Lambda behind a function URL or an HTTP API: it forwards mail with files to the bookkeeping. */
import { Parley, verifyWebhook, WebhookVerificationError } from 'parley-client';

/** The part of the event (payload format 2.0) that it reads. */
interface HttpEvent {
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly body?: string;
  readonly isBase64Encoded: boolean;
}

export async function handler(http: HttpEvent): Promise<{ statusCode: number; body?: string }> {
  const body = Buffer.from(http.body ?? '', http.isBase64Encoded ? 'base64' : 'utf8');
  try {
    const event = await verifyWebhook(body, http.headers, process.env.PARLEY_WEBHOOK_SECRET ?? '');
    if (event.type === 'email.received' && event.data.attachments.length > 0) {
      const bookkeeping = process.env.BOOKKEEPING_ADDRESS ?? '';
      await new Parley().threads.forward(
        event.data.thread_id,
        { to: bookkeeping, note: `From ${event.data.from}` },
        { idempotencyKey: event.id },
      );
    }
    return { statusCode: 204 };
  } catch (error) {
    if (error instanceof WebhookVerificationError) return { statusCode: 400, body: error.message };
    throw error;
  }
}
