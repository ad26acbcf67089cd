/** How an endpoint does, by its newest deliveries. */
import type { WebhookEndpoint } from 'parley-client';
import { parley } from '../../api/parley.ts';
import { useApi } from '../../api/queries.ts';
import { Badge } from '../../kit/badge.tsx';

const looked = 20;

const isLater = (at: string | null): boolean => at !== null && Date.parse(at) > Date.now() + 5_000;

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
  return {
    failed: ended.filter(({ state }) => state === 'failed').length,
    /** They are tried again later, or wait because the endpoint does not answer. */
    waiting: data.items.filter(
      ({ state, attempts, next_attempt_at: next }) =>
        state === 'pending' && (attempts.length > 0 || isLater(next)),
    ).length,
    all: data.items.length,
  };
}

export function Health({ endpoint }: { readonly endpoint: WebhookEndpoint }) {
  const health = useHealth(endpoint);
  if (!endpoint.enabled) return <Badge tone="warn">Paused</Badge>;
  if (!health) return null;
  if (health.all === 0) return <Badge>No deliveries yet</Badge>;
  const { failed, waiting, all } = health;
  if (failed + waiting === 0) return <Badge tone="good">Healthy</Badge>;
  const text = [failed > 0 && `${failed} failed`, waiting > 0 && `${waiting} wait for another attempt`]
    .filter(Boolean)
    .join(', ');
  return (
    <Badge tone={failed > 0 ? 'bad' : 'warn'}>
      {text} of the last {all}
    </Badge>
  );
}
