/** The workspace's own addresses among those of a conversation: of its verified domains, and its mailboxes. */

import type { WorkspaceId } from '../../core/ids.ts';
import { allDone } from '../../core/work/all-done.ts';
import { type IsOwn, ownAmong, ownKeys } from '../../mail/threading/reply-recipients.ts';
import { findSenders, type Senders } from '../../storage/sending/senders.ts';

export interface OwnAddresses {
  readonly isOwn: IsOwn;
  /** Finds out about addresses; `isOwn` answers false for others. One batch read, and none where all are known. */
  lookUp(addresses: readonly string[]): Promise<void>;
}

/** @param known addresses that need no look-up, in any spelling */
export function ownAddresses(workspaceId: WorkspaceId, known: readonly string[]): OwnAddresses {
  const own = new Set(known.flatMap((address) => ownKeys(address).slice(0, 1)));
  const asked = new Set<string>();
  const isOwn = ownAmong(own);
  return {
    isOwn,
    async lookUp(addresses) {
      const keys = [...new Set(addresses.filter((address) => !isOwn(address)).flatMap(ownKeys))];
      const unasked = keys.filter((key) => !asked.has(key));
      const found = await allDone(unasked.map((key) => findSenders(workspaceId, key)));
      for (const [at, key] of unasked.entries()) {
        asked.add(key);
        if (found[at] && isOfWorkspace(found[at])) own.add(key);
      }
    },
  };
}

/** A domain is the workspace's own from its verification on: anybody may add any name. */
const isOfWorkspace = ({ mailbox, domain }: Senders): boolean =>
  domain?.isVerified === true || (mailbox !== null && mailbox.state !== 'disconnected');
