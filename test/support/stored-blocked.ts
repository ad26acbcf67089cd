/** A message that inbound rules have blocked, as it is stored. */
import { now } from '../../lib/adapters/clock.ts';
import { newId } from '../../lib/adapters/ids.ts';
import type { ObjectRef } from '../../lib/adapters/object-addresses.ts';
import type { SpaceId } from '../../lib/core/ids.ts';
import { type BlockedEmail, endsOfBlocked } from '../../lib/core/receiving/inbound-rules.ts';

const verdicts = {
  spam: 'pass',
  virus: 'pass',
  spf: 'pass',
  dkim: 'pass',
  dmarc: 'pass',
  dmarcPolicy: null,
} as const;

/** @param createdAt default: now */
export function storedBlocked(
  spaceId: SpaceId | null,
  tag: string,
  raw: Required<ObjectRef>,
  createdAt: number = now(),
): BlockedEmail & { readonly source: { readonly kind: 'ses' } } {
  return {
    id: newId('blk'),
    spaceId,
    from: `eve@${tag}.example`,
    to: [`desk@${tag}.example`],
    subject: 'Hello',
    ruleId: null,
    source: { kind: 'ses', sesId: tag, returnPath: '', verdicts, raw, domainId: null },
    createdAt,
    acceptedAt: null,
    expiresAt: endsOfBlocked(createdAt).expiresAt,
  };
}
