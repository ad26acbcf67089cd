/** Default recipients of a reply (docs/concepts/threads.md#default-recipients). */
import { type Address, addressKey, splitAddress, uniqueAddresses } from '../addresses/addresses.ts';

/** Whether an address is one of the workspace. */
export type IsOwn = (address: string) => boolean;

/** Whether an address is among those of the workspace. @param own as `addressKey`; `name+tag@` matches `name@` */
export function ownAmong(own: ReadonlySet<string>): IsOwn {
  return (address) => ownKeys(address).some((key) => own.has(key));
}

/** The keys by which an address may be one of the workspace: with and without a tag. */
export function ownKeys(address: string): readonly string[] {
  const key = addressKey(address);
  const { local, host } = splitAddress(key);
  const plus = local.indexOf('+');
  return plus < 0 ? [key] : [key, `${local.slice(0, plus)}@${host}`];
}

/** The address fields of the message that gives a reply its recipients. */
export interface RepliedMessage {
  readonly from: Address;
  /** Of a received message: without addresses that its author need not have written. */
  readonly replyTo: readonly Address[];
  readonly to: readonly Address[];
  readonly cc: readonly Address[];
}

export interface ReplyRecipients {
  readonly to: readonly Address[];
  readonly cc: readonly Address[];
}

export const nobody: ReplyRecipients = { to: [], cc: [] };

/**
 * The people of a received message: Reply-To, else From. `replyAll` adds its other To and Cc. Nobody where the author is
 * the workspace itself.
 */
export function recipientsOfReceived(
  { from, replyTo, to, cc }: RepliedMessage,
  { replyAll, isOwn }: ReplyOptions,
): ReplyRecipients {
  const [requested, author] = [theirs(replyTo, isOwn), theirs([from], isOwn)];
  const direct = requested.length > 0 ? requested : author;
  if (direct.length === 0) return nobody;
  return replyAll ? fieldsOf([...direct, ...theirs(to, isOwn)], theirs(cc, isOwn)) : fieldsOf(direct, []);
}

/** The people that a message was sent to: its To, with `replyAll` its Cc as well. */
export function recipientsOfSent(
  { to, cc }: Pick<RepliedMessage, 'to' | 'cc'>,
  { replyAll, isOwn }: ReplyOptions,
): ReplyRecipients {
  return fieldsOf(theirs(to, isOwn), replyAll ? theirs(cc, isOwn) : []);
}

interface ReplyOptions {
  readonly replyAll: boolean;
  readonly isOwn: IsOwn;
}

/** Each address once. A message has somebody in To. */
function fieldsOf(to: readonly Address[], cc: readonly Address[]): ReplyRecipients {
  const direct = uniqueAddresses(to);
  if (direct.length === 0) return { to: uniqueAddresses(cc), cc: [] };
  const addressed = new Set(direct.map(({ address }) => addressKey(address)));
  return { to: direct, cc: uniqueAddresses(cc).filter(({ address }) => !addressed.has(addressKey(address))) };
}

/** Without addresses of the workspace, and words such as `MAILER-DAEMON`, which From may hold. */
function theirs(addresses: readonly Address[], isOwn: IsOwn): Address[] {
  return addresses.filter(({ address }) => {
    const { local, host } = splitAddress(address);
    return local !== '' && host !== '' && !isOwn(address);
  });
}
