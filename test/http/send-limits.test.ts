/** Validation of `POST /emails` in the pipeline: the limits of the body, and the paths of issues. */
import { describe, expect, it } from 'vitest';
import { sendEmailOperation } from '../../functions/emails/send.contract.ts';
import { sendV1EmailOperation } from '../../functions/v1/emails/send.contract.ts';
import { outgoingFields } from '../../lib/http/presenters/outgoing.ts';
import { sentResponse } from '../../lib/http/send-operation.ts';
import { serve } from '../../lib/http/serve.ts';
import { storedHead } from '../support/stored-mail.ts';
import { context, dependencies, gatewayEvent } from './gateway.ts';

/** The operation without its service: accepts every valid body. */
const send = serve(
  sendEmailOperation,
  async ({ body, baseUrl }) => {
    outgoingFields(body, baseUrl);
    return sentResponse({
      email: storedHead({ status: 'queued' }),
      replayed: false,
      suppressed: [],
      pacing: null,
    });
  },
  dependencies,
);

async function post(more: Record<string, unknown>) {
  const body = { from: 'a@acme.test', to: 'anna@example.test', subject: 'Hello', text: 'Hello', ...more };
  const response = await send(
    gatewayEvent({
      method: 'POST',
      path: sendEmailOperation.path,
      headers: { authorization: 'Bearer full', 'content-type': 'application/json' },
      body: JSON.stringify(body),
    }),
    context,
  );
  return { status: response.statusCode, body: JSON.parse(response.body ?? 'null') };
}

const addresses = (count: number) => Array.from({ length: count }, (_, at) => `r${at}@example.test`);
const text = (length: number) => 'x'.repeat(length);
const twoMegabytes = 2 * 1024 * 1024;
const file = { filename: 'a.bin', content: Buffer.alloc(1).toString('base64') };

type Fields = Record<string, unknown>;
/** A body at the limit, and one beyond it. */
const limits: [string, Fields, Fields, number, string][] = [
  ['100 recipients in to', { to: addresses(100) }, { to: addresses(101) }, 400, 'too_many_recipients'],
  ['100 recipients in cc', { cc: addresses(100) }, { cc: addresses(101) }, 400, 'too_many_recipients'],
  ['100 recipients in bcc', { bcc: addresses(100) }, { bcc: addresses(101) }, 400, 'too_many_recipients'],
  [
    '100 addresses in reply_to',
    { reply_to: addresses(100) },
    { reply_to: addresses(101) },
    400,
    'too_many_recipients',
  ],
  ['998 characters of subject', { subject: text(998) }, { subject: text(999) }, 422, 'invalid_request'],
  ['2 MB of text', { text: text(twoMegabytes) }, { text: text(twoMegabytes + 1) }, 422, 'invalid_request'],
  ['2 MB of html', { html: text(twoMegabytes) }, { html: text(twoMegabytes + 1) }, 422, 'invalid_request'],
  [
    '20 attachments',
    { attachments: Array(20).fill(file) },
    { attachments: Array(21).fill(file) },
    422,
    'invalid_request',
  ],
  [
    '200 characters of header name',
    { headers: { [`X-${text(198)}`]: 'v' } },
    { headers: { [`X-${text(199)}`]: 'v' } },
    422,
    'invalid_request',
  ],
  [
    '8000 characters of header value',
    { headers: { 'X-A': text(8000) } },
    { headers: { 'X-A': text(8001) } },
    422,
    'invalid_request',
  ],
  [
    '256 characters of suppression key',
    { suppression_key: text(256) },
    { suppression_key: text(257) },
    422,
    'invalid_request',
  ],
];

describe('POST /emails', () => {
  it.each(limits)('accepts %s and refuses one more', async (_, within, beyond, status, code) => {
    const accepted = await post(within);
    expect(accepted.status, JSON.stringify(accepted.body)).toBe(201);
    const refused = await post(beyond);
    expect({ status: refused.status, code: refused.body.code }).toEqual({ status, code });
  });

  it.each([
    ['the body has no text and no html', { text: undefined }, 'text'],
    ['the subject has a line break', { subject: 'a\nb' }, 'subject'],
    ['a header is structural', { headers: { 'Reply-To': 'x@y.test' } }, 'headers.Reply-To'],
    ['a header is Sender', { headers: { Sender: 'x@y.test' } }, 'headers.Sender'],
    ['a header is of SES', { headers: { 'X-SES-TENANT': 'x' } }, 'headers.X-SES-TENANT'],
    ['a header is of ARC', { headers: { 'ARC-Seal': 'x' } }, 'headers.ARC-Seal'],
    [
      'a header is Authentication-Results',
      { headers: { 'Authentication-Results': 'x' } },
      'headers.Authentication-Results',
    ],
    ['a header has two spellings', { headers: { 'X-A': '1', 'x-a': '2' } }, 'headers.X-A'],
    ['both bodies are empty', { text: '', html: '' }, 'text'],
    ['to is empty', { to: [] }, 'to'],
    ['one of several recipients is a number', { to: [5, 'anna@example.test'] }, 'to.0'],
    [
      'one of several recipients has a name that is a number',
      { to: [{ name: 5, address: 'a@b.test' }] },
      'to.0.name',
    ],
    ['a header has a line break', { headers: { 'X-A': 'a\r\nBcc: x@y.test' } }, 'headers.X-A'],
    ['a time has no offset', { scheduled_at: '2026-12-01T10:00:00' }, 'scheduled_at'],
    ['an address is invalid', { to: ['anna@example.test', 'nobody'] }, 'to.1'],
    ['content is not base64', { attachments: [{ filename: 'a', content: '*' }] }, 'attachments.0.content'],
    ['a field is unknown', { colour: 'red' }, 'colour'],
  ])('names the path of the issue when %s', async (_, more, path) => {
    const { status, body } = await post(more);
    expect(status).toBe(422);
    expect(body.code).toBe('invalid_request');
    expect(body.issues.map((issue: { path: string }) => issue.path)).toContain(path);
  });

  it('lists every issue of a body in one answer', async () => {
    const { status, body } = await post({
      from: 7,
      to: [],
      cc: ['nobody', 5],
      subject: undefined,
      text: '',
      colour: 'red',
      attachments: [{ filename: 'a/b', content: '*' }],
    });
    expect(status).toBe(422);
    expect(body.issues.map((issue: { path: string }) => issue.path).sort()).toEqual([
      'attachments.0.content',
      'attachments.0.filename',
      'cc.0',
      'cc.1',
      'colour',
      'from',
      'subject',
      'text',
      'to',
    ]);
  });

  it('says nothing of a missing body when text has another type', async () => {
    const { body } = await post({ text: 5 });
    expect(body.issues).toEqual([{ path: 'text', message: 'must be a string' }]);
  });

  it('counts the recipients before it looks at them', async () => {
    const { status, body } = await post({ to: Array(2_000_000).fill(1) });
    expect([status, body.code]).toEqual([400, 'too_many_recipients']);
    expect(body.issues).toEqual([{ path: 'to', message: 'has 2000000 addresses; at most 100 are allowed' }]);
  });

  it.each([
    `'Support' <a@acme.test>`,
    `"'Support'" <a@acme.test>`,
    { name: "'Support'", address: 'a@acme.test' },
    { name: '"Support"', address: 'a@acme.test' },
  ])('takes the name of %j without its quotes', (from) => {
    const name = (given: unknown) => sendEmailOperation.body.shape.from.parse(given).name;
    expect(name(from)).toBe('Support');
    expect(sendV1EmailOperation.body.shape.from.parse(`'Support' <a@acme.test>`).name).toBe('Support');
  });
});
