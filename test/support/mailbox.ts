/** A connected mailbox, for tests. */
import { composeId } from '../../lib/core/ids.ts';
import type { Mailbox } from '../../lib/core/mailboxes/mailbox.ts';

/** A mailbox with defaults. */
export function mailboxOf(given: Partial<Mailbox> = {}): Mailbox {
  return {
    id: composeId('mbx', 1, new Uint8Array(10)),
    provider: 'google',
    spaceId: null,
    address: 'anna@acme.test',
    name: 'Anna',
    state: 'active',
    stateReason: null,
    region: 'us-east-1',
    appId: null,
    ref: null,
    connections: 1,
    connectedAt: 0,
    lastSyncAt: null,
    revision: 1,
    ...given,
  };
}
