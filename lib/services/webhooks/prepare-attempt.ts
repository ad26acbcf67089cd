/** The request of an attempt: URL, signed headers and time limit by the endpoint's format (docs/concepts/webhooks.md#envelope). */
import type { WebhookPost } from '../../adapters/outbound-http.ts';
import type { EventId, WorkspaceId } from '../../core/ids.ts';
import { limits } from '../../core/limits.ts';
import { type WebhookBody, webhookHeaders } from '../../core/webhooks/signature.ts';
import { v1Headers } from '../../core/webhooks/v1-format.ts';
import { env } from '../../env.ts';
import type { FoundEndpoint } from '../../storage/webhooks/endpoints.ts';
import { openActiveSecrets } from './endpoint-secrets.ts';

/**
 * The request of an attempt. Each attempt is signed anew, with the secrets that are valid then.
 *
 * @param event.body the JSON to post, in the format of the endpoint
 * @param atMs when the attempt is made; Unix milliseconds
 */
export async function prepareAttempt(
  workspaceId: WorkspaceId,
  { endpoint, secrets }: FoundEndpoint,
  { id: eventId, body }: { readonly id: EventId; readonly body: WebhookBody },
  atMs: number,
): Promise<WebhookPost> {
  const { BRAND: brand, ALLOW_INSECURE_WEBHOOKS: allowInsecure, DNS_SERVERS: dnsServers } = env();
  const opened = await openActiveSecrets(workspaceId, secrets, atMs);
  const atSeconds = Math.floor(atMs / 1000);
  const isV1 = endpoint.format === 'v1';
  return {
    url: endpoint.url,
    headers: isV1
      ? v1Headers(brand, { body, secret: opened[0] ?? null, atSeconds })
      : webhookHeaders(brand, { eventId, body, secrets: opened, atSeconds }),
    body,
    timeoutMs: (isV1 ? limits.v1WebhookTimeoutSeconds : limits.webhookTimeoutSeconds) * 1000,
    allowInsecure: allowInsecure === 'on',
    dnsServers,
  };
}
