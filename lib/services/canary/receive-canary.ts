/** The receiver of the canary's webhook: takes what is signed with the secret of its endpoint, and keeps nothing. */
import { now } from '../../adapters/clock.ts';
import { verifySignature } from '../../core/webhooks/signature.ts';
import { findEndpoint, listEndpoints } from '../../storage/webhooks/endpoints.ts';
import { findWorkspace } from '../../storage/workspaces/workspaces.ts';
import { openActiveSecrets } from '../webhooks/endpoint-secrets.ts';
import { canarySlug } from './canary-slug.ts';

/** Longest signature header: a time and two signatures. */
const headerMax = 200;
/** The secrets are read at most as often by one function instance: the route is open to everybody. */
const keptMs = 30_000;

let kept: { readonly secrets: readonly string[]; readonly until: number } | null = null;

/** Whether a request is a webhook of the canary's endpoint. */
export async function isCanaryWebhook(signature: string, body: string): Promise<boolean> {
  if (!/^t=\d+,v1=/.test(signature) || signature.length > headerMax) return false;
  const nowMs = now();
  if (!kept || kept.until < nowMs || kept.until > nowMs + keptMs) {
    kept = { secrets: await secretsAt(nowMs), until: nowMs + keptMs };
  }
  const nowSeconds = nowMs / 1000;
  return kept.secrets.some((secret) => verifySignature({ header: signature, body, secret, nowSeconds }));
}

/** The signing secrets of the canary's endpoint; empty: there is none yet. */
async function secretsAt(nowMs: number): Promise<readonly string[]> {
  const workspace = await findWorkspace(canarySlug);
  if (!workspace) return [];
  const { items } = await listEndpoints(workspace.id, { limit: 1, after: null });
  const found = items[0] && (await findEndpoint(workspace.id, items[0].id));
  return found ? await openActiveSecrets(workspace.id, found.secrets, nowMs) : [];
}
