/** A slice of both fuzzers; `npm run fuzz:mail` and `npm run fuzz` are the whole. */
import { describe, expect, it } from 'vitest';
import { runApiBatch } from '../../scripts/fuzz/api-run.ts';
import { runMailBatch } from '../../scripts/fuzz/mail-run.ts';
import { targetedCount } from '../../scripts/fuzz/message-cases.ts';
import { faultOfEvent } from '../../scripts/fuzz/openapi-schemas.ts';
import type { FuzzCloud } from '../../scripts/fuzz/tenant.ts';
import { cloud } from '../support/cloud.ts';
import { receiver } from '../support/receiver.ts';

const seed = 1;
const randomMessages = 45;
/** Every nth case with one hostile field, with all fields at the end. */
const targetedStep = 9;
const targetedOctets = 300_000;
const requests = 300;

function described(failures: readonly { number: number | null; what: string }[]): string[] {
  return failures.map(({ number, what }) => `case ${number}: ${what}`);
}

function fuzzCloud(): FuzzCloud {
  const { baseUrl, controlUrl, smtpPort, waitForQuiescence } = cloud();
  return { baseUrl, controlUrl, smtpPort, settle: waitForQuiescence };
}

const targeted = Array.from(
  { length: Math.ceil(targetedCount / targetedStep) },
  (_, at) => at * targetedStep,
);
const random = Array.from({ length: randomMessages }, (_, at) => targetedCount + at);

describe('the service', () => {
  it('stores or explains every message, and stays readable, when mail is hostile', async () => {
    const hook = await receiver();
    const numbers = [...targeted, ...random];
    const batch = { seed, numbers, octets: targetedOctets, hookUrl: hook.url };
    const { failures, outcomes } = await runMailBatch(fuzzCloud(), batch);
    expect(described(failures)).toEqual([]);
    expect(outcomes.filter(({ fate }) => fate === 'stored').length).toBeGreaterThan(numbers.length / 2);
    const events = hook.requests.map(({ body }) => faultOfEvent(JSON.parse(body)));
    expect(events.filter((fault) => fault !== null)).toEqual([]);
    expect(events.length).toBeGreaterThan(numbers.length);
  });

  it('answers every request with a documented response when requests are valid, nearly valid or wild', async () => {
    const numbers = Array.from({ length: requests }, (_, at) => at);
    const { failures, outcomes } = await runApiBatch(fuzzCloud(), { seed, numbers });
    expect(described(failures)).toEqual([]);
    expect(outcomes.filter(({ status }) => status < 300).length).toBeGreaterThan(requests / 10);
  });
});
