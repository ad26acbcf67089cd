/** What a suppression is, and which sends it blocks (contract, section 5). */
import type { HistoryEntry } from './email.ts';
import type { EmailId, SpaceId, SuppressionId } from './ids.ts';
import type { SuppressionScope } from './suppression-scope.ts';

export const suppressionReasons = ['complaint', 'bounce', 'unsubscribe', 'manual'] as const;
export type SuppressionReason = (typeof suppressionReasons)[number];

/** The key of the list that every send is checked against. */
export const allKeys = '*';

/** An address on a list; there is one for each address, key and space of a workspace. */
export interface Suppression {
  readonly id: SuppressionId;
  /** As it was first given. */
  readonly address: string;
  readonly key: string;
  /** null: in every space. */
  readonly spaceId: SpaceId | null;
  readonly scope: SuppressionScope;
  readonly reason: SuppressionReason;
  readonly note: string | null;
  /** How many sends it has kept from the address. */
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

/** What of a send decides by which suppressions it is blocked. */
export interface SuppressionTerms {
  readonly spaceId: SpaceId | null;
  /** The send's `suppression_key`. */
  readonly key: string | null;
  /** The send's `unsubscribe`. */
  readonly isOptional: boolean;
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
 * Why an entry of the history puts its recipients on the workspace's list `*`; null where it does not. Soft bounces
 * never do, nor does a report by which a recipient says that mail is no spam (RFC 5965, 7.3).
 */
export function suppressionReasonOf(entry: HistoryEntry): 'bounce' | 'complaint' | null {
  if (entry.type === 'complained') return entry.detail === 'not-spam' ? null : 'complaint';
  return entry.type === 'bounced' && entry.permanent === true ? 'bounce' : null;
}
