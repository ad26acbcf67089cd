/** The loads of `npm run limits`. */
import { allAnomalies, newAccountLimits, newTableLimits } from '../../lib/local/index.ts';
import type { Load } from './run-load.ts';

const { ses, lambda } = newAccountLimits;
/** Lag of indexes and repetition, as often as the local cloud has them. */
const { indexLagMsMax, snsDuplicates, sesDuplicates, transactionConflicts } = allAnomalies;
const anomalies = { seed: 1, indexLagMsMax, snsDuplicates, sesDuplicates, transactionConflicts };

/** A small load for the test suite: more than the quota of SES, with refusals. */
const slice: Load = {
  name: 'slice',
  title: 'a slice for the test suite',
  limits: { ses: { ...ses, sendsPerSecond: 10, sendsPerDay: 50, hoursPerDay: 0.1 }, lambda },
  anomalies,
  emails: 60,
  quietEmails: 3,
  throttles: 3,
  faultsWhenIdle: true,
  // Shorter than the hold of a region, and longer than an email is on its way to SES on a busy machine.
  pausedSeconds: 240,
};

/** Not on the page: a partition that is full again and again delays single emails, so that they leave out of order. */
const fullPartitions: Load = {
  name: 'table',
  title: 'a table with 8 write and 24 read units a second for each partition key',
  limits: {
    ...newAccountLimits,
    ses: { ...ses, sendsPerSecond: 14, sendsPerDay: 50_000 },
    dynamodb: { ...newTableLimits, partitionWrites: 8, partitionReads: 24 },
  },
  anomalies,
  emails: 80,
  quietEmails: 10,
};

/** The loads of the page. */
export const pageLoads: readonly Load[] = [
  {
    name: 'new-account',
    title: 'a new account: 1 recipient a second, 10 concurrent executions',
    limits: newAccountLimits,
    anomalies,
    emails: 60,
    quietEmails: 10,
  },
  {
    name: 'production',
    title: 'a production account: 14 recipients a second, 10 concurrent executions',
    limits: { ...newAccountLimits, ses: { ...ses, sendsPerSecond: 14, sendsPerDay: 50_000 } },
    anomalies,
    emails: 300,
    quietEmails: 10,
  },
  {
    name: 'refusals',
    title: 'the same, and SES throttles and pauses meanwhile',
    limits: { ...newAccountLimits, ses: { ...ses, sendsPerSecond: 14, sendsPerDay: 50_000 } },
    anomalies,
    emails: 200,
    quietEmails: 10,
    throttles: 20,
    pausedSeconds: 60,
  },
  {
    name: 'rate',
    title: 'more than the rate: 1 recipient a second, as many as the API accepts',
    limits: { ...newAccountLimits, ses: { ...ses, sendsPerSecond: 1, sendsPerDay: 50_000 } },
    anomalies,
    emails: 300,
    quietEmails: 10,
  },
  {
    name: 'quota',
    title: 'ten times the quota: 40 recipients in a day of one hour, 20 a second',
    limits: { ...newAccountLimits, ses: { ...ses, sendsPerSecond: 20, sendsPerDay: 40, hoursPerDay: 1 } },
    anomalies,
    emails: 400,
    quietEmails: 10,
  },
];

export const loads: readonly Load[] = [slice, fullPartitions, ...pageLoads];
