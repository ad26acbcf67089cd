/** Builder of domains, for tests that store them directly. */
import { now } from '../../lib/adapters/clock.ts';
import { newId } from '../../lib/adapters/ids.ts';
import type { SendingDomain } from '../../lib/core/domains/sending-domain.ts';
import { env } from '../../lib/env.ts';

/** A domain without key and records, which no background check reads. */
export function storedDomain(given: Pick<SendingDomain, 'name'> & Partial<SendingDomain>): SendingDomain {
  return {
    id: newId('dom'),
    wildcard: false,
    region: env().DEFAULT_REGION,
    spaceId: null,
    parentId: null,
    provided: false,
    verifiedAt: null,
    createdAt: now(),
    tracking: { opens: false, clicks: false },
    records: [],
    missing: null,
    nextCheckAt: null,
    version: 1,
    ...given,
  };
}
