/** Anomalies of AWS that a local cloud produces on request: lag, repetition and rare errors, reproducible by a seed. */

export interface Anomalies {
  /** Seed of the random choices. */
  readonly seed: number;
  /** Most milliseconds that a secondary index is behind its table; 0: none. */
  readonly indexLagMsMax: number;
  /** Fraction of SNS deliveries that arrive twice, 0 to 1. */
  readonly snsDuplicates: number;
  /** Fraction of SES events and notifications that are published twice, 0 to 1. */
  readonly sesDuplicates: number;
  /** Fraction of TransactWriteItems that fail with TransactionConflict, 0 to 1. Above 0, overlapping writes also conflict. */
  readonly transactionConflicts: number;
  /** Fraction of CopyObject calls that return 200 with an error in the body, 0 to 1. */
  readonly copyErrors: number;
  /** Whether SES sends its set-up notifications when event destinations and receipt rules are created. */
  readonly sesSetupNotifications: boolean;
}

export const noAnomalies: Anomalies = {
  seed: 1,
  indexLagMsMax: 0,
  snsDuplicates: 0,
  sesDuplicates: 0,
  transactionConflicts: 0,
  copyErrors: 0,
  sesSetupNotifications: false,
};

/** All anomalies, more often than in AWS. */
export const allAnomalies: Anomalies = {
  seed: 1,
  indexLagMsMax: 2_000,
  snsDuplicates: 0.05,
  sesDuplicates: 0.05,
  transactionConflicts: 0.02,
  copyErrors: 0.1,
  sesSetupNotifications: true,
};

/** A reproducible sequence of numbers from 0 to below 1 (mulberry32). */
export function createRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}
