/** The health of each webhook endpoint, a part of its dispatch state, for those that dispatch nothing. */
import type { EndpointId, WorkspaceId } from '../core/ids.ts';
import { type Health, newHealth } from '../core/webhooks/health.ts';
import { lanes } from '../core/webhooks/lane.ts';
import { codec, flag, nullable, number, object, oneOf, withDefault } from './codec.ts';
import { endpointStateKey } from './keys.ts';
import { get } from './reads.ts';

/** For the stores of dispatch states only. */
export const healthField = object<Health>({
  lane: oneOf(lanes),
  quickAnswers: number,
  failures: number,
  failingSince: nullable(number),
  lastSuccessAt: nullable(number),
  probes: number,
  nextProbeAt: nullable(number),
  isOutageReported: flag,
});

const healthCodec = codec<{ readonly health: Health }>('endpoint health', {
  health: withDefault(healthField, newHealth),
});

/** The health of an endpoint. */
export async function findEndpointHealth(workspaceId: WorkspaceId, endpointId: EndpointId): Promise<Health> {
  const item = await get(endpointStateKey(workspaceId, endpointId));
  return item ? healthCodec.decode(item).health : newHealth;
}
