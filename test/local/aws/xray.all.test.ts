/** X-Ray takes segments by the rules of "AWS X-Ray segment documents". */
import { describe, expect, it } from 'vitest';
import type { AwsCall } from '../../../lib/local/aws/service.ts';
import { createXRay } from '../../../lib/local/aws/xray.ts';

const nowMs = Date.parse('2026-11-26T12:00:00Z');
const seconds = (ms: number) => Math.trunc(ms / 1000);
const traceAt = (ms: number) => `1-${seconds(ms).toString(16)}-a006649127e371903a2de979`;
const minimal = {
  name: 'example.com',
  id: '70de5b6f19ff9a0a',
  trace_id: traceAt(nowMs),
  start_time: seconds(nowMs) + 0.271,
  end_time: seconds(nowMs) + 0.449,
};

const callOf = (body: unknown, path = '/TraceSegments'): AwsCall => ({
  principal: 'local-admin',
  service: 'xray',
  region: 'us-east-1',
  method: 'POST',
  path,
  rawPath: path,
  query: new URLSearchParams(),
  headers: {},
  body: Buffer.from(JSON.stringify(body)),
});

async function put(xray: ReturnType<typeof createXRay>, ...documents: readonly unknown[]) {
  const TraceSegmentDocuments = documents.map((one) => (typeof one === 'string' ? one : JSON.stringify(one)));
  const { body } = await xray.handle(callOf({ TraceSegmentDocuments }));
  return JSON.parse(String(body)).UnprocessedTraceSegments;
}

const newXRay = () => createXRay({ now: () => nowMs });

describe('PutTraceSegments', () => {
  it('keeps segments by trace, and the complete one in place of the one in progress', async () => {
    const xray = newXRay();
    const { end_time, ...open } = minimal;
    const other = { ...minimal, id: '70de5b6f19ff9a0b', parent_id: minimal.id };
    expect(await put(xray, { ...open, in_progress: true }, other)).toEqual([]);
    expect(await put(xray, minimal)).toEqual([]);
    expect(xray.traces({})).toMatchObject([[minimal, other]]);
    expect(xray.traces({})[0]?.[0]).not.toHaveProperty('in_progress');
  });

  it.each([
    ['a name of 201 characters', { name: 'a'.repeat(201) }],
    ['a name with other symbols', { name: 'a[b]' }],
    ['an id of 15 digits', { id: '70de5b6f19ff9a0' }],
    ['a trace id without hyphens', { trace_id: '581cf771a006649127e371903a2de979' }],
    ['no end', { end_time: undefined }],
    ['an end, and in progress', { in_progress: true }],
    ['a time that is text', { start_time: 'now' }],
    ['an annotation with a hyphen in its name', { annotations: { 'a-b': 'c' } }],
    ['an annotation that is an object', { annotations: { a: {} } }],
    ['an annotation of 251 characters', { annotations: { a: 'b'.repeat(251) } }],
    ['more than 64 KB', { metadata: { a: 'b'.repeat(64_000) } }],
  ])('refuses %s, and takes what is beside it', async (_, change) => {
    const xray = newXRay();
    const beside = { ...minimal, id: 'ffffffffffffffff' };
    const refused = await put(xray, { ...minimal, ...change }, beside);
    expect(refused).toMatchObject([{ ErrorCode: expect.stringMatching(/./) }]);
    expect(xray.traces({})).toMatchObject([[beside]]);
  });

  it('refuses traces that are older than it keeps them', async () => {
    const days = (count: number) => ({ ...minimal, trace_id: traceAt(nowMs - count * 24 * 3_600_000) });
    const xray = newXRay();
    expect(await put(xray, days(29), days(31))).toEqual([
      {
        Id: minimal.id,
        ErrorCode: 'InvalidTraceId',
        Message: 'Invalid segment. ErrorCode: InvalidTraceId',
      },
    ]);
  });

  it('refuses what is no document, and knows no other operation', async () => {
    const xray = newXRay();
    expect(await put(xray, 'no JSON', 'null', '[]')).toHaveLength(3);
    await expect(xray.handle(callOf({ TraceSegmentDocuments: [1] }))).rejects.toThrow();
    expect(() => xray.action(callOf({}, '/Traces'))).toThrow(/does not emulate/);
  });

  it('indexes 50 annotations of a trace', async () => {
    const xray = newXRay();
    const of = (at: number) => ({
      ...minimal,
      id: String(at).padStart(16, '0'),
      annotations: { number: at, name: 'a' },
    });
    await put(xray, ...Array.from({ length: 30 }, (_, at) => of(at)));
    expect(xray.traces({ number: '24', name: 'a' })).toHaveLength(1);
    expect(xray.traces({ number: '25' })).toEqual([]);
    expect(xray.traces({ number: '24', name: 'b' })).toEqual([]);
  });
});
