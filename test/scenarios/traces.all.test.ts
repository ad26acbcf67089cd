/** Traces in AWS X-Ray (docs/decisions/0092-traces-in-xray.md), on a cloud that traces every email. */
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { now } from '../../lib/adapters/clock.ts';
import type { TraceSegment } from '../../lib/local/aws/xray.ts';
import { api } from '../support/api.ts';
import { cloud } from '../support/cloud.ts';
import { type OwnCloud, startOwnCloud } from '../support/own-cloud.ts';
import { receiver } from '../support/receiver.ts';

/** In everything that people write. */
const marker = 'only-for-anna';

let own: OwnCloud;
beforeAll(async () => {
  own = await startOwnCloud({ traceSampling: 1 });
});
afterAll(async () => await own.close());
afterEach(() => cloud().control('DELETE', '/faults'));

/** A workspace with an endpoint, and a person who writes with it. */
async function newSender() {
  const { key, providedDomain, slug } = await own.workspace();
  const client = api(key);
  const hook = await receiver();
  const subscriptions = ['email.sent', 'email.delivered', 'email.received'];
  await client.post('/webhook-endpoints', { url: hook.url, subscriptions });
  const address = `desk@${providedDomain}`;
  const person = `${marker}-${slug}@people.example.test`;
  return {
    ...{ client, hook, address, person },
    async send(requestId: string): Promise<string> {
      const email = { from: address, to: person, subject: `Subject ${marker}`, text: `Text ${marker}` };
      const { status, body } = await client.post('/emails', email, { 'x-request-id': requestId });
      expect(status).toBe(201);
      return body.id;
    },
  };
}

type Trace = readonly TraceSegment[];

/** The only trace with these annotations, in the order of time. */
async function traceWith(annotations: Readonly<Record<string, string>>): Promise<Trace> {
  await cloud().waitForQuiescence();
  const query = new URLSearchParams(annotations);
  const { data } = await cloud().control<{ data: Trace[] }>('GET', `/traces?${query}`);
  expect(data).toHaveLength(1);
  return (data[0] ?? []).toSorted((a, b) => a.start_time - b.start_time);
}

const namesIn = (trace: Trace) => trace.map(({ name }) => name.replace(/^parley-/, ''));

/** Whether all but the first are its children, within the time of the test, without what people wrote. */
function expectOneTree(trace: Trace, since: number): void {
  const [root, ...children] = trace;
  expect(root).not.toHaveProperty('parent_id');
  expect(children.map(({ parent_id }) => parent_id)).toEqual(children.map(() => root?.id));
  expect(new Set(trace.map(({ id }) => id)).size).toBe(trace.length);
  expect(new Set(trace.map(({ trace_id }) => trace_id)).size).toBe(1);
  for (const { start_time, end_time = 0 } of trace) {
    expect(start_time).toBeGreaterThanOrEqual(root?.start_time ?? 0);
    expect(end_time).toBeGreaterThanOrEqual(start_time);
    expect(start_time * 1000).toBeGreaterThan(since - 1);
    expect(end_time * 1000).toBeLessThan(now() + 1);
  }
  expect(JSON.stringify(trace)).not.toContain(marker);
}

const whole = [
  ...['api-emails-send', 'worker-deliver-webhook', 'worker-deliver-webhook'],
  // SES reports that it took the email, and that it delivered it.
  ...['worker-provider-event', 'worker-provider-event', 'worker-send-mail'],
];

describe('a traced email', () => {
  it('is one trace from the request to the attempts of webhooks, found by the ids that support is told', async () => {
    const since = now();
    const { hook, person, send } = await newSender();
    const id = await send('support-4711');
    const trace = await traceWith({ email_id: id });
    expectOneTree(trace, since);
    expect(namesIn(trace).sort()).toEqual(whole);
    expect(trace[0]).toMatchObject({
      name: 'parley-api-emails-send',
      annotations: {
        workspace_id: expect.stringMatching(/^wks_/),
        email_id: id,
        request_id: 'support-4711',
      },
    });
    const [sent] = await cloud().sentTo(person);
    const told = trace.flatMap(
      ({ annotations: { provider_id, delivery_id } }) => provider_id ?? delivery_id ?? [],
    );
    expect(hook.requests).toHaveLength(2);
    expect(new Set(told).size).toBe(3);
    const delivery_id = String(told.find((one) => String(one).startsWith('dlv_')));
    for (const known of [
      { request_id: 'support-4711' },
      { provider_id: sent?.id ?? '' },
      { delivery_id },
      { email_id: id, request_id: 'support-4711' },
    ]) {
      expect(await traceWith(known)).toEqual(trace);
    }
  });

  it('that is received has a trace of its own, and so has the answer to it', async () => {
    const since = now();
    const { client, address, person } = await newSender();
    await cloud().sendMail({ from: person, to: address, subject: marker, text: marker });
    await cloud().waitForQuiescence();
    const { body: list } = await client.get('/emails?direction=inbound');
    const received = list.data[0];
    const trace = await traceWith({ email_id: String(received?.id) });
    expectOneTree(trace, since);
    expect(namesIn(trace)).toEqual(['worker-receive-mail', 'worker-deliver-webhook']);
    const { status, body } = await client.post(`/threads/${received?.thread_id}/reply`, { text: marker });
    expect(status).toBe(201);
    const answer = await traceWith({ email_id: body.id });
    expectOneTree(answer, since);
    expect(namesIn(answer)[0]).toBe('api-threads-reply');
    expect(answer).toHaveLength(whole.length);
  });

  it('has each segment once where X-Ray is busy, and where it gets segments twice', async () => {
    const { send } = await newSender();
    const ofXRay = { service: 'xray', action: 'PutTraceSegments' };
    await cloud().control('POST', '/faults', { ...ofXRay, kind: 'throttle', times: 1 });
    await cloud().control('POST', '/faults', { ...ofXRay, kind: 'timeout-after', times: 2 });
    const trace = await traceWith({ email_id: await send('support-4712') });
    expect(namesIn(trace).sort()).toEqual(whole);
  });
});

describe('the function that records traces', () => {
  it('is not invoked by its own log lines', async () => {
    const { send } = await newSender();
    const denied = { kind: 'error', status: 403, code: 'AccessDeniedException', message: 'No.' };
    await cloud().control('POST', '/faults', { service: 'xray', action: '*', times: 1, ...denied });
    await cloud().control('DELETE', '/calls');
    await send('support-4713');
    await cloud().waitForQuiescence();
    const { data: lines } = await cloud().control<{ data: unknown[] }>('GET', '/logs?source=parley-traces');
    expect(JSON.stringify(lines)).toContain('X-Ray answered 403');
    const { data: calls } = await cloud().control<{ data: { service: string }[] }>('GET', '/calls');
    // One for each line at most, and the retry of one.
    const recorded = calls.filter(({ service }) => service === 'xray');
    expect(recorded.length).toBeLessThanOrEqual(whole.length + 1);
  });
});
