/** The loads of `npm run limits`. */
import { allAnomalies } from '../../lib/local/anomalies.ts';
import { newAccountLimits } from '../../lib/local/limits.ts';
import type { Load } from './run-load.ts';

const { ses, lambda } = newAccountLimits;
/** Lag of indexes and repetition, as often as the local cloud has them. */
const { indexLagMsMax, snsDuplicates, sesDuplicates, transactionConflicts } = allAnomalies;
const anomalies = { seed: 1, indexLagMsMax, snsDuplicates, sesDuplicates, transactionConflicts };

/** A small load for the test suite: ten times what SES takes in the time, quota included, with refusals. */
export const slice: Load = {
  title: 'slice',
  limits: { ses: { ...ses, sendsPerSecond: 10, sendsPerDay: 40, hoursPerDay: 0.1 }, lambda },
  anomalies,
  emails: 60,
  quietEmails: 3,
  throttles: 3,
  pausedSeconds: 20,
};

export const loads: readonly Load[] = [
  {
    title: 'a new account: 1 recipient a second, 10 concurrent executions',
    limits: newAccountLimits,
    anomalies,
    emails: 100,
    quietEmails: 10,
  },
  {
    title: 'a production account: 14 recipients a second, 10 concurrent executions',
    limits: { ...newAccountLimits, ses: { ...ses, sendsPerSecond: 14, sendsPerDay: 50_000 } },
    anomalies,
    emails: 1000,
    quietEmails: 10,
  },
  {
    title: 'the same, and SES throttles and pauses meanwhile',
    limits: { ...newAccountLimits, ses: { ...ses, sendsPerSecond: 14, sendsPerDay: 50_000 } },
    anomalies,
    emails: 500,
    quietEmails: 10,
    throttles: 20,
    pausedSeconds: 60,
  },
  {
    title: 'ten times the quota: 200 recipients in a day of one hour, 20 a second',
    limits: { ...newAccountLimits, ses: { ...ses, sendsPerSecond: 20, hoursPerDay: 1 } },
    anomalies,
    emails: 2000,
    quietEmails: 10,
  },
];
