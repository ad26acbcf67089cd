/** Participants of a thread, and default recipients of a reply (docs/concepts/threads.md). */
import { type Address, addressKey, splitAddress, uniqueAddresses } from '../mail/addresses.ts';

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

/** The address fields of the message that a reply answers. */
export interface RepliedMessage {
  readonly from: Address;
  readonly replyTo: readonly Address[];
  readonly to: readonly Address[];
  readonly cc: readonly Address[];
}

export interface ReplyRecipients {
  readonly to: readonly Address[];
  readonly cc: readonly Address[];
}

/**
 * The default recipients of a reply: Reply-To, else From, of the newest inbound message; without one, the To of the
 * newest outbound message. `replyAll` adds that message's other To and Cc, except our own addresses.
 *
 * @param options.ourAddresses the thread's mailbox and other addresses of ours; `name+tag@` matches `name@`
 */
export function replyRecipients(options: {
  newestInbound: RepliedMessage | null;
  newestOutbound: RepliedMessage | null;
  replyAll: boolean;
  ourAddresses: readonly string[];
}): ReplyRecipients {
  const { newestInbound, newestOutbound, replyAll, ourAddresses } = options;
  const message = newestInbound ?? newestOutbound;
  if (message === null) return { to: [], cc: [] };
  const ours = new Set(ourAddresses.map(addressKey));
  const isTheirs = ({ address }: Address) => {
    const key = addressKey(address);
    return !ours.has(key) && !ours.has(withoutTag(key));
  };
  const direct = message === newestInbound ? authors(message, isTheirs) : message.to;
  const others = replyAll ? message.to.filter(isTheirs) : [];
  const to = uniqueAddresses([...direct, ...others]);
  const addressed = new Set(to.map(({ address }) => addressKey(address)));
  const cc = replyAll ? message.cc.filter(isTheirs) : [];
  return { to, cc: uniqueAddresses(cc).filter(({ address }) => !addressed.has(addressKey(address))) };
}

/** `name+tag@host` as `name@host`. */
export function withoutTag(address: string): string {
  const { local, host } = splitAddress(address);
  const plus = local.indexOf('+');
  return plus < 0 ? address : `${local.slice(0, plus)}@${host}`;
}

/** Reply-To without our own addresses, else From, even if that is our own. */
function authors(
  { replyTo, from }: RepliedMessage,
  isTheirs: (address: Address) => boolean,
): readonly Address[] {
  const requested = replyTo.filter(isTheirs);
  return requested.length > 0 ? requested : [from];
}
