/**
 * How long an invocation would take in AWS: its processor time at the share that its memory gets, and waits of assumed lengths.
 * The local cloud answers within milliseconds, so that its own durations would bill the waits at a fraction.
 */
import type { RecordedCall } from '../../lib/local/index.ts';
import { heaviestChain } from './figures.ts';
import type { Observed } from './observe.ts';

/** Assumed milliseconds from request to response, within a region. */
export const assumedMs = {
  /** "What is Amazon DynamoDB?" in the Amazon DynamoDB Developer Guide: single-digit milliseconds. */
  dynamodb: 5,
  sqs: 10,
  kms: 10,
  /** "Best practices design patterns: optimizing Amazon S3 performance" in the Amazon S3 User Guide: about 100 to 200 ms. */
  s3: 100,
  ses: 150,
  /** EventBridge Scheduler, Lambda and others, which few invocations call. */
  other: 30,
  /** A customer's webhook receiver, which no recorded call shows. */
  receiver: 200,
} as const;

/** Memory with a whole processor ("Configure Lambda function memory" in the AWS Lambda Developer Guide). */
const wholeProcessorMb = 1769;

/** Milliseconds. @param outsideMs what it waits for that no recorded call shows */
export function deployedMs({ calls, cpuMs, memoryMb }: Observed, outsideMs: number): number {
  const share = Math.min(1, memoryMb / wholeProcessorMb);
  return heaviestChain(calls, assumedMsOf) + outsideMs + (cpuMs ?? 0) / share;
}

function assumedMsOf({ service }: RecordedCall): number {
  return isAssumed(service) ? assumedMs[service] : assumedMs.other;
}

function isAssumed(service: string): service is keyof typeof assumedMs {
  return service in assumedMs;
}
