/** Whether a domain can send, in a word. */
import type { Domain } from 'parley-client';
import { Badge } from '../../kit/badge.tsx';

export function DomainState({ domain }: { readonly domain: Domain }) {
  if (domain.verified_at) return <Badge tone="good">Verified</Badge>;
  if (domain.parent_id) return <Badge tone="warn">Waits for its wildcard</Badge>;
  return <Badge tone="warn">Records to publish</Badge>;
}
