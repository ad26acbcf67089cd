/** Suppressions, and the sends that each blocks (docs/concepts/suppressions.md). */
import type { HistoryEntry, SuppressionScope } from '../emails/email.ts';
import type { EmailId, SpaceId, SuppressionId } from '../ids.ts';

export const suppressionReasons = ['complaint', 'bounce', 'unsubscribe', 'manual'] as const;
export type SuppressionReason = (typeof suppressionReasons)[number];

/** The key of the list that every send is checked against. */
export const allKeys = '*';

/** In the place of an address that was erased: sends find the suppression by a hash. No address is the same. */
export const erasedAddress = 'erased';

/** An address on a suppression list: at most one for each address, key and space of a workspace. */
export interface Suppression {
  readonly id: SuppressionId;
  /** As first given; `erasedAddress` after the erasure of the person. */
  readonly address: string;
  readonly key: string;
  /** null: in every space. */
  readonly spaceId: SpaceId | null;
  readonly scope: SuppressionScope;
  readonly reason: SuppressionReason;
  readonly note: string | null;
  /** Number of sends that it blocked. */
  readonly blocks: number;
  readonly lastBlockedAt: number | null;
  readonly sourceEmailId: EmailId | null;
  readonly createdAt: number;
}

/** An address to suppress. */
export interface SuppressionInput {
  readonly address: string;
  readonly key: string;
  readonly spaceId: SpaceId | null;
  readonly scope: SuppressionScope;
  readonly reason: SuppressionReason;
  readonly sourceEmailId: EmailId | null;
  /** null keeps the note that is stored. */
  readonly note: string | null;
}

/** The properties of a send that suppressions are checked against. */
export interface SuppressionTerms {
  readonly spaceId: SpaceId | null;
  /** The send's `suppression_key`. */
  readonly key: string | null;
  /** The send's `unsubscribe`. */
  readonly isOptional: boolean;
}

/** A suppression that blocks a recipient of a send. */
export interface Blocking {
  readonly id: SuppressionId;
  /** The list that the address is on. */
  readonly key: string;
  /** As the send names it. */
  readonly address: string;
}

/** Addresses that the text of a problem names. */
const namedMax = 10;

/** Suppressed recipients with the lists that each is on, for the text of a problem: the first ten, and how many more. */
export function suppressedText(blocking: readonly Blocking[]): string {
  const byAddress = Map.groupBy(blocking, ({ address }) => address);
  const named = [...byAddress].slice(0, namedMax).map(([address, on]) => {
    const lists = new Set(on.map(({ key }) => `\`${key}\``));
    return `${address} by ${lists.size === 1 ? 'list' : 'lists'} ${[...lists].join(' and ')}`;
  });
  const more = byAddress.size - named.length;
  return `${named.join(', ')}${more > 0 ? `, and ${more} more` : ''}`;
}

/** The lists that a send is checked against: its own key and `*`, in its space and in the workspace. */
export function listsToCheck({ spaceId, key }: SuppressionTerms): { spaceId: SpaceId | null; key: string }[] {
  const keys = [...new Set([allKeys, key ?? allKeys])];
  const spaces = [...new Set([null, spaceId])];
  return spaces.flatMap((space) => keys.map((one) => ({ spaceId: space, key: one })));
}

/** Whether a suppression on one of the send's lists blocks it. */
export function blocks(
  scope: SuppressionScope,
  { isOptional }: Pick<SuppressionTerms, 'isOptional'>,
): boolean {
  return scope === 'all' || isOptional;
}

/**
 * The reason with which a history entry puts its recipients on the workspace's list `*`; null where it does not. Soft
 * bounces do not, nor do feedback reports of type `not-spam` (RFC 5965, 7.3; docs/concepts/suppressions.md#reasons).
 */
export function suppressionReasonOf(entry: HistoryEntry): 'bounce' | 'complaint' | null {
  if (entry.type === 'complained') return entry.detail === 'not-spam' ? null : 'complaint';
  return entry.type === 'bounced' && entry.permanent === true ? 'bounce' : null;
}
