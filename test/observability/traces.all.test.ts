/** From log lines to segments in X-Ray, without a cloud around them. */
import { createHash } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { composeId, type EmailId } from '../../lib/core/ids.ts';
import { localAdmin } from '../../lib/local/aws/service.ts';
import { localSecret } from '../../lib/local/aws/sigv4.ts';
import { createXRay, type XRay } from '../../lib/local/aws/xray.ts';
import { matchesLogPattern } from '../../lib/local/cloudwatch/log-filter-patterns.ts';
import { isTraced, tracedPattern } from '../../lib/observability/trace-sampling.ts';
import { recordSegments } from '../../lib/services/trace/record-segments.ts';
import { segmentsOf, traceIdOf } from '../../lib/services/trace/segments.ts';
import { localAws } from '../local/aws/local-aws.ts';

const day = 24 * 3_600_000;
const nowMs = Date.now();

/** The same in each run. */
const emailId = (seed: number, at = nowMs): EmailId =>
  composeId('eml', at, createHash('sha256').update(String(seed)).digest());

const workspace_id = `wks_${'1'.repeat(32)}`;
const email = (email_id: string, more = {}) => ({ workspace_id, email_id, ...more });

/** A line as `count.ts` writes it, of an invocation of 250 ms. */
const lineOf = (emails: readonly object[], more: object = {}) =>
  JSON.stringify({
    _aws: { Timestamp: nowMs, CloudWatchMetrics: [] },
    workspaces: {},
    emails,
    duration_ms: 250,
    ...more,
  });

const stream = '2026/11/26/parley-worker-send-mail[$LATEST][0123456789abcdef0123456789abcdef]';

const segments = (message: string, share = 1, id = '7') =>
  segmentsOf({ id, message }, { stream, share, nowMs });

describe('the segments of a line', () => {
  const id = emailId(1);

  it('are the root, where the invocation made the email', () => {
    const made = { EmailsAccepted: 1, request_id: 'r1' };
    expect(segments(lineOf([email(id)], made))).toEqual([
      {
        name: 'parley-worker-send-mail',
        id: id.slice(-16),
        trace_id: `1-${Math.trunc(nowMs / 1000).toString(16)}-${id.slice(-24)}`,
        start_time: (nowMs - 250) / 1000,
        end_time: nowMs / 1000,
        annotations: { workspace_id, email_id: id, request_id: 'r1' },
        metadata: { log_stream: stream },
      },
    ]);
  });

  it.each([
    ['a submission', { chunk: 0, provider_id: 'ses-1' }, { provider_id: 'ses-1' }],
    ['a webhook attempt', { delivery_id: 'dlv_1' }, { delivery_id: 'dlv_1' }],
    ['a submission by a mailbox', {}, {}],
  ])('are a child of it, of %s', (_, more, annotations) => {
    const [segment] = segments(lineOf([email(id, more)], { SubmissionsAccepted: 1 }));
    expect(segment).toMatchObject({ trace_id: traceIdOf(id), parent_id: id.slice(-16), annotations });
    expect(segment?.annotations).toEqual(annotations);
  });

  it('have ids of their own, the same when the line is read again', () => {
    const attempts = [1, 2, 3].map((at) => email(id, { delivery_id: `dlv_${at}` }));
    const ids = segments(lineOf(attempts)).map((one) => one.id);
    expect(new Set(ids).size).toBe(3);
    expect(segments(lineOf(attempts)).map((one) => one.id)).toEqual(ids);
    const ofNext = segments(lineOf(attempts), 1, '8').map((one) => one.id);
    expect(ofNext.filter((one) => ids.includes(one))).toEqual([]);
  });

  it('leave out emails that X-Ray takes nothing more about', () => {
    const of = (age: number) => segments(lineOf([email(emailId(1, nowMs - age))]));
    expect(of(7 * day)).toHaveLength(1);
    expect(of(7 * day + 1)).toEqual([]);
    expect(of(20_000 * day)).toEqual([]);
  });

  it.each([
    ['no JSON', 'REPORT RequestId'],
    ['no emails', JSON.stringify({ level: 'INFO', event: 'x' })],
    ['an id that is none', lineOf([email('eml_1')])],
    ['an id with more behind it', lineOf([email(`${id}\n`)])],
    ['a time that is none', lineOf([email(id)], { duration_ms: 'long' })],
    ['null', 'null'],
    ['a deep list', '['.repeat(100_000)],
  ])('are none of a line with %s', (_, message) => {
    expect(segments(message)).toEqual([]);
  });

  it('are named by nothing but the function', () => {
    const of = (name: string) =>
      segmentsOf({ id: '1', message: lineOf([email(id)]) }, { stream: name, share: 1, nowMs })[0]?.name;
    expect(of('2026/11/26/parley-api-emails-send[12][0123]')).toBe('parley-api-emails-send');
    expect(of('someone else')).toBe('function');
    expect(of(`2026/11/26/${'a'.repeat(1000)}[1][2]`)).toBe('function');
  });
});

describe('sampling', () => {
  const ids = Array.from({ length: 200 }, (_, seed) => emailId(seed));

  it('takes its share of the emails, each with all its segments or with none', () => {
    const steps = ids.flatMap((id) => [
      ...segments(lineOf([email(id)], { EmailsAccepted: 1 }), 0.5, `accepted ${id}`),
      ...segments(lineOf([email(id, { chunk: 0, provider_id: 's' })]), 0.5, `sent ${id}`),
      ...segments(lineOf([email(id, { delivery_id: 'd' })]), 0.5, `told ${id}`),
    ]);
    const byTrace = Map.groupBy(steps, ({ trace_id }) => trace_id);
    expect(byTrace.size).toBeGreaterThan(70);
    expect(byTrace.size).toBeLessThan(130);
    expect([...byTrace.values()].every((all) => all.length === 3)).toBe(true);
  });

  it.each([0.000_001, 0.01, 0.05, 1 / 16, 0.062_6, 0.5, 0.999, 1])(
    'of %d has a filter pattern that leaves no traced email out',
    (share) => {
      const pattern = tracedPattern(share);
      const many = Array.from({ length: 2000 }, (_, seed) => emailId(seed));
      const traced = many.filter((id) => isTraced(id, share));
      expect(Math.abs(traced.length / many.length - share)).toBeLessThan(0.04);
      const passed = many.filter((id) => matchesLogPattern(pattern, lineOf([email(emailId(-1)), email(id)])));
      const alone = many.filter((id) => matchesLogPattern(pattern, lineOf([email(id)])));
      expect(traced.filter((id) => !passed.includes(id) || !alone.includes(id))).toEqual([]);
      // One in sixteen is let through too many, at most.
      expect(alone.length / many.length).toBeLessThan(share + 1 / 16 + 0.04);
      expect(matchesLogPattern(pattern, JSON.stringify({ level: 'INFO', email_id: traced[0] }))).toBe(false);
    },
  );

  it('of 0 and 1 takes none and all', () => {
    expect(ids.filter((id) => isTraced(id, 0))).toEqual([]);
    expect(ids.filter((id) => !isTraced(id, 1))).toEqual([]);
    expect(isTraced(`eml_${'f'.repeat(32)}`, 1)).toBe(true);
    expect(isTraced(`eml_${'0'.repeat(32)}`, 0)).toBe(false);
  });
});

describe('recording', () => {
  let xray: XRay;
  let sent: number[];
  let faults: Awaited<ReturnType<typeof localAws>>['faults'];

  beforeEach(async () => {
    sent = [];
    const aws = await localAws((clock) => {
      const real = createXRay(clock);
      xray = {
        ...real,
        async handle(call) {
          sent.push(JSON.parse(call.body.toString()).TraceSegmentDocuments.length);
          return await real.handle(call);
        },
      };
      return [xray];
    });
    faults = aws.faults;
    vi.stubEnv('AWS_ENDPOINT_URL', aws.gateway.url);
    vi.stubEnv('AWS_REGION', 'eu-central-1');
    vi.stubEnv('AWS_ACCESS_KEY_ID', localAdmin);
    vi.stubEnv('AWS_SECRET_ACCESS_KEY', localSecret(localAdmin));
  });
  afterEach(() => void vi.unstubAllEnvs());

  const batchOf = (messages: readonly string[], more: object = {}) =>
    gzipSync(
      JSON.stringify({
        messageType: 'DATA_MESSAGE',
        owner: '111111111111',
        logGroup: '/parley/workers',
        logStream: stream,
        subscriptionFilters: ['traces'],
        logEvents: messages.map((message, at) => ({
          id: `${at}`.padStart(56, '0'),
          timestamp: nowMs,
          message,
        })),
        ...more,
      }),
    ).toString('base64');
  const kept = () => xray.traces({}).flat();
  const oneEach = (count: number) =>
    batchOf([lineOf(Array.from({ length: count }, (_, seed) => email(emailId(seed), { chunk: 0 })))]);

  it.each([
    [0, []],
    [1, [1]],
    [50, [50]],
    [51, [50, 1]],
    [200, [50, 50, 50, 50]],
  ])('sends %d segments in batches of fifty', async (count, batches) => {
    await recordSegments(oneEach(count), 1);
    expect(sent).toEqual(batches);
    expect(kept()).toHaveLength(count);
  });

  it('splits a hundred lines of two hundred emails', async () => {
    const emails = Array.from({ length: 200 }, (_, seed) => email(emailId(seed), { delivery_id: 'dlv_1' }));
    await recordSegments(batchOf(Array(100).fill(lineOf(emails))), 1);
    expect(Math.max(...sent)).toBe(50);
    expect(xray.traces({})).toHaveLength(200);
    expect(kept()).toHaveLength(20_000);
  });

  it('adds nothing when a batch is delivered again', async () => {
    const data = oneEach(60);
    await recordSegments(data, 1);
    const before = kept();
    await recordSegments(data, 1);
    expect(kept()).toEqual(before);
  });

  it('tries again where X-Ray is busy or silent, three times in all, and where it is not, the batch fails', async () => {
    faults.add({
      kind: 'error',
      service: 'xray',
      action: '*',
      status: 429,
      code: 'ThrottledException',
      times: 1,
    });
    faults.add({ kind: 'drop-before', service: 'xray', action: '*', times: 1 });
    await recordSegments(oneEach(1), 1);
    expect(kept()).toHaveLength(1);
    faults.add({ kind: 'error', service: 'xray', action: '*', status: 503, times: 3 });
    await expect(recordSegments(oneEach(2), 1)).rejects.toThrow('X-Ray answered 503');
    faults.add({
      kind: 'error',
      service: 'xray',
      action: '*',
      status: 403,
      code: 'AccessDeniedException',
      times: 1,
    });
    await expect(recordSegments(oneEach(2), 1)).rejects.toThrow('X-Ray answered 403');
    faults.add({ kind: 'drop-before', service: 'xray', action: '*', times: 3 });
    await expect(recordSegments(oneEach(2), 1)).rejects.toThrow('fetch failed');
    await recordSegments(oneEach(2), 1);
    expect(kept()).toHaveLength(2);
  });

  it('sends what is refused again, says it in the end, and keeps nothing else back', async () => {
    // Before 1970.
    const refused = lineOf([email(emailId(1), { chunk: 0 })], { _aws: { Timestamp: -1 } });
    const good = lineOf([email(emailId(2), { chunk: 0 })]);
    const recorded = recordSegments(batchOf([refused, good]), 1);
    await expect(recorded).rejects.toThrow('X-Ray refused 1 of 2 segments (InvalidSegment)');
    expect(sent).toEqual([2, 1, 1]);
    expect(kept()).toHaveLength(1);
  });

  it('ignores messages of CloudWatch Logs itself, and throws at what is none of its batches', async () => {
    await recordSegments(
      batchOf(['CWL CONTROL MESSAGE: Checking health of destination Lambda.'], {
        messageType: 'CONTROL_MESSAGE',
      }),
      1,
    );
    expect(sent).toEqual([]);
    for (const data of [
      '',
      'no gzip',
      gzipSync('no JSON').toString('base64'),
      gzipSync('{}').toString('base64'),
    ]) {
      await expect(recordSegments(data, 1)).rejects.toThrow();
    }
    const bomb = gzipSync(Buffer.alloc(65 * 1024 * 1024)).toString('base64');
    await expect(recordSegments(bomb, 1)).rejects.toThrow(/larger than/);
  });
});
