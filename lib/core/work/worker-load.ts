/**
 * What a worker has to do for each email, and how long its function runs for it in AWS. The shares of the workers in the
 * account's concurrency follow from it (`lib/constructs/concurrency.ts`), and what a deployment carries (`npm run limits -- --paper`).
 */

/** One execution of a worker, by what it waits for and computes (`bench/latest.md`, section Workers). */
export interface Execution {
  /** Messages that share it. */
  readonly messages: number;
  /** Calls of the table, one after the other. */
  readonly trips: number;
  readonly s3?: number;
  readonly sqs?: number;
  readonly ses?: number;
  /** Of a webhook receiver. */
  readonly receiverMs?: number;
  /** Processor time of the whole execution. */
  readonly cpuMs: number;
}

/** Messages for each email, or the executions that other work takes beside a thousand emails a second. */
export type WorkerLoad =
  | {
      readonly perSent?: number;
      readonly perReceived?: number;
      readonly execution: Execution;
    }
  | {
      readonly executions: number;
      /** More than this would wait for something else. */
      readonly most?: number;
    };

/**
 * Milliseconds of a call, on the safe side. DynamoDB: "single-digit millisecond" ("What is Amazon DynamoDB?"). S3: 100 to 200
 * ("Best practices design patterns: optimizing Amazon S3 performance"). SQS and SES publish none: assumed.
 */
export const callMs = { trip: 9, s3: 100, sqs: 20, ses: 150 } as const;

/** Units of an email sent to two endpoints, with room, in the table and in an index (`bench/latest.md`, Chains). */
export const unitsOfEmail = { table: { read: 60, write: 42 }, index: { read: 4, write: 4 } } as const;

/** Memory at which a function has a whole processor ("Configure Lambda function memory", AWS Lambda Developer Guide). */
const wholeProcessorMb = 1769;

export function executionSeconds(execution: Execution, memoryMb: number): number {
  const { trips, s3 = 0, sqs = 0, ses = 0, receiverMs = 0, cpuMs } = execution;
  const waitMs = trips * callMs.trip + s3 * callMs.s3 + sqs * callMs.sqs + ses * callMs.ses + receiverMs;
  return (waitMs + cpuMs * Math.max(1, wholeProcessorMb / memoryMb)) / 1000;
}

/** Emails a second. */
export interface MailRate {
  readonly sent: number;
  readonly received: number;
}

/** What the executions of loads that do not depend on emails are named for. */
const referenceRate = 1000;

/**
 * Executions at the same time that emails at this rate take of a worker.
 *
 * @param secondsMin that an execution counts for, however short it is
 */
export function executionsAt(load: WorkerLoad, memoryMb: number, rate: MailRate, secondsMin = 0): number {
  if ('executions' in load) return (load.executions * Math.max(rate.sent, rate.received)) / referenceRate;
  const { perSent = 0, perReceived = 0, execution } = load;
  const messages = perSent * rate.sent + perReceived * rate.received;
  return (messages / execution.messages) * Math.max(secondsMin, executionSeconds(execution, memoryMb));
}
