/** The account-level suppression list of one region (SES developer guide, "Using the Amazon SES account-level suppression list"). */

export type SuppressionReason = 'BOUNCE' | 'COMPLAINT';

/** Reasons of accounts that do not configure any. */
export const defaultReasons: readonly SuppressionReason[] = ['BOUNCE', 'COMPLAINT'];

export interface AccountSuppression {
  /** Adds the recipients of a hard bounce or complaint, when the reason is in force. */
  record(
    addresses: readonly string[],
    reason: SuppressionReason,
    inForce: readonly SuppressionReason[],
  ): void;
  /** Why SES does not send to an address; null: it does. */
  reasonFor(address: string, inForce: readonly SuppressionReason[]): SuppressionReason | null;
}

export function createAccountSuppression(): AccountSuppression {
  const reasons = new Map<string, SuppressionReason>();
  return {
    record(addresses, reason, inForce) {
      if (!inForce.includes(reason)) return;
      for (const address of addresses) reasons.set(address.toLowerCase(), reason);
    },
    reasonFor(address, inForce) {
      const reason = reasons.get(address.toLowerCase());
      return reason && inForce.includes(reason) ? reason : null;
    },
  };
}
