/** Participants of a thread (docs/concepts/threads.md#thread-fields). */
import { type Address, addressKey, uniqueAddresses } from '../addresses/addresses.ts';

/** Most participants stored with a thread. */
export const participantsMax = 100;

/**
 * The participants after a message: each address once, in order of first appearance. A later name fills in a missing one
 * and never replaces another. At most `participantsMax`.
 */
export function mergeParticipants(existing: readonly Address[], added: readonly Address[]): Address[] {
  const names = new Map<string, string>();
  for (const { name, address } of [...existing, ...added]) {
    const key = addressKey(address);
    if (name !== null && !names.has(key)) names.set(key, name);
  }
  return uniqueAddresses([...existing, ...added])
    .slice(0, participantsMax)
    .map(({ address }) => ({ name: names.get(addressKey(address)) ?? null, address }));
}
