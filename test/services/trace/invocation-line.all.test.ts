import { describe, expect, it } from 'vitest';
import { count, nameEmail, observeQueueToDone, withMetrics } from '../../../lib/observability/count.ts';
import { invocationLine, jsonLine } from '../../../lib/services/trace/invocation-line.ts';
import { captureLog } from '../../support/log-lines.ts';

const workspaceId = `wks_${'1'.repeat(32)}`;
const emailId = `eml_${'2'.repeat(32)}`;
const email = { workspace_id: workspaceId, email_id: emailId };
const line = (fields: object) =>
  invocationLine(JSON.stringify({ _aws: { Timestamp: 5000 }, duration_ms: 100, emails: [email], ...fields }));

describe('invocationLine', () => {
  it('reads what an invocation writes', async () => {
    const lines = captureLog();
    // Other files have counted in this process.
    await withMetrics(
      async () => {},
      () => undefined,
      () => 'parley',
    );
    await withMetrics(
      async () => {
        count('SubmissionsAccepted', workspaceId);
        observeQueueToDone('parley-mail', 7);
        nameEmail({ ...email, chunk: 1, provider_id: '0100-a-000000' });
        nameEmail({ ...email, received: true });
        nameEmail({ ...email, delivery_id: 'dlv_1' });
      },
      () => 'r-1',
      () => 'parley',
    );
    const nothing = {
      workspaceId,
      emailId,
      isReceived: false,
      chunk: null,
      providerId: null,
      deliveryId: null,
    };
    expect(invocationLine(JSON.stringify(lines.at(-1)))).toEqual({
      at: expect.any(Number),
      durationMs: expect.any(Number),
      requestId: 'r-1',
      queue: 'parley-mail',
      hasMade: false,
      emails: [
        { ...nothing, chunk: 1, providerId: '0100-a-000000' },
        { ...nothing, isReceived: true },
        { ...nothing, deliveryId: 'dlv_1' },
      ],
    });
  });

  it.each([
    'no JSON',
    '',
    'null',
    '7',
    '[]',
    '{"emails":[]}',
    '{"_aws":null,"emails":[],"duration_ms":1}',
    '{"_aws":{"Timestamp":"1"},"emails":[],"duration_ms":1}',
    '{"_aws":{"Timestamp":1e300},"emails":[],"duration_ms":1}',
    '{"_aws":{"Timestamp":1},"emails":{"length":1},"duration_ms":1}',
    '{"_aws":{"Timestamp":1},"emails":[],"duration_ms":{}}',
  ])('takes no other line: %s', (text) => {
    expect(invocationLine(text)).toBeNull();
    expect(jsonLine(text)).toBeTypeOf('object');
  });

  it('leaves out entries and fields of another shape', () => {
    const odd = [
      null,
      7,
      'eml_1',
      [],
      {},
      { ...email, workspace_id: { toString: 1 } },
      { email_id: emailId },
    ];
    expect(line({ emails: [...odd, email] })?.emails).toEqual([expect.objectContaining({ emailId })]);
    const entry = { ...email, chunk: '1', provider_id: 'x y', delivery_id: 'd'.repeat(201), received: 'yes' };
    expect(line({ emails: [entry, { ...email, chunk: -1, provider_id: { a: 1 } }] })?.emails).toEqual(
      Array(2).fill({
        ...{ workspaceId, emailId, isReceived: false },
        ...{ chunk: null, providerId: null, deliveryId: null },
      }),
    );
    expect(line({ request_id: ['r'], QueueName: 7 })).toMatchObject({ requestId: null, queue: null });
  });
});
