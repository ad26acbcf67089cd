/** How an endpoint does, by its newest deliveries. */
import type { WebhookEndpoint } from 'parley-client';
import { parley } from '../../api/parley.ts';
import { useApi } from '../../api/queries.ts';
import { Badge } from '../../kit/badge.tsx';

const looked = 20;

/** Failed and all of the newest deliveries; null: not known yet. */
export function useHealth({ id }: WebhookEndpoint) {
  const { data } = useApi(
    ['webhooks', id, 'health'],
    () => parley.webhookEndpoints.listDeliveries(id, { limit: looked }),
    {
      refetchMs: 10_000,
    },
  );
  if (!data) return null;
  const ended = data.items.filter(({ state }) => state !== 'pending');
  const last = ended[0]?.attempts.at(-1);
  return {
    failed: ended.filter(({ state }) => state === 'failed').length,
    /** Retried: no answer that counts yet. */
    retrying: data.items.filter(({ state, attempts }) => state === 'pending' && attempts.length > 0).length,
    all: data.items.length,
    lastAt: last?.attempted_at ?? null,
  };
}

export function Health({ endpoint }: { readonly endpoint: WebhookEndpoint }) {
  const health = useHealth(endpoint);
  if (!endpoint.enabled) return <Badge tone="warn">Paused</Badge>;
  if (!health) return null;
  if (health.all === 0) return <Badge>No deliveries yet</Badge>;
  const { failed, retrying, all } = health;
  if (failed + retrying === 0) return <Badge tone="good">Healthy</Badge>;
  const text = [failed > 0 && `${failed} failed`, retrying > 0 && `${retrying} retried`]
    .filter(Boolean)
    .join(', ');
  return (
    <Badge tone={failed > 0 ? 'bad' : 'warn'}>
      {text} of the last {all}
    </Badge>
  );
}
