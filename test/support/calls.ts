/** The AWS calls that the local cloud records. */
import { afterAll, beforeAll } from 'vitest';
import { cloud } from './cloud.ts';

export interface Call {
  /** A role, with the number of its thread: `parley-worker-relay~2`. */
  readonly principal: string;
  readonly action: string;
  /** The ARN of what it is about, where it has one. */
  readonly resource?: string;
  /** DynamoDB, while metering: units, the items that a write names, and the partitions whose units were used. */
  readonly capacity?: number;
  readonly keys?: readonly string[];
  readonly consumed?: readonly { readonly partition: string; readonly units: number }[];
}

/** Meters the calls to DynamoDB in the tests of this file. */
export function meterCalls(): void {
  beforeAll(() => cloud().control('POST', '/calls', { metering: true }));
  afterAll(() => cloud().control('POST', '/calls', { metering: false }));
}

/** The actions of the calls that the test makes itself during `flow`, sorted. */
export async function ownCalls(flow: () => Promise<unknown>): Promise<readonly string[]> {
  return (await ownCallsInOrder(flow)).toSorted();
}

/** The same, oldest first. */
export async function ownCallsInOrder(flow: () => Promise<unknown>): Promise<readonly string[]> {
  const calls = await recordedCalls(flow);
  return calls
    .filter(({ principal }) => principal === process.env.AWS_ACCESS_KEY_ID)
    .map(({ action }) => action);
}

/** All calls during `flow`, up to quiescence, of whatever test caused them. */
export async function recordedCalls(flow: () => Promise<unknown>): Promise<readonly Call[]> {
  await cloud().control('DELETE', '/calls');
  await flow();
  await cloud().waitForQuiescence();
  const { data } = await cloud().control<{ data: Call[] }>('GET', '/calls');
  return data;
}
