/** Who takes part in a conversation, and who hears a reply (contract, section 4, "Reply"). */
import { type Address, addressKey, uniqueAddresses } from '../mail/addresses.ts';

/** Most participants a thread remembers; its record stays small however many it was sent to. */
export const participantsMax = 100;

/**
 * The participants after a message: each address once, those who came first stay first. A name learnt later fills in a
 * missing one and never replaces another. Beyond `participantsMax` nobody is added.
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

/** What a reply needs to know of the message it answers. */
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
 * The default recipients of a reply: Reply-To, else From, of the newest inbound message; the To of the newest outbound
 * one when nothing came in. `replyAll` adds that message's other To and Cc, never an address of ours.
 *
 * @param options.ourAddresses the thread's mailbox and whatever else leads back to us; `name+tag@` counts as `name@`
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
    return !ours.has(key) && !ours.has(key.replace(/\+[^@]*@/, '@'));
  };
  const asked = message === newestInbound ? authors(message, isTheirs) : message.to;
  const others = replyAll ? message.to.filter(isTheirs) : [];
  const to = uniqueAddresses([...asked, ...others]);
  const addressed = new Set(to.map(({ address }) => addressKey(address)));
  const cc = replyAll ? message.cc.filter(isTheirs) : [];
  return { to, cc: uniqueAddresses(cc).filter(({ address }) => !addressed.has(addressKey(address))) };
}

/** A Reply-To that names nobody but us is passed over; a message that we wrote to ourselves is answered all the same. */
function authors(
  { replyTo, from }: RepliedMessage,
  isTheirs: (address: Address) => boolean,
): readonly Address[] {
  const asked = replyTo.filter(isTheirs);
  return asked.length > 0 ? asked : [from];
}
