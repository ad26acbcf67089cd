/** Waits of `POST /emails`. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { apiInProcess } from '../support/api.ts';
import { ownCalls } from '../support/calls.ts';
import { cloud } from '../support/cloud.ts';
import { captureLog } from '../support/log-lines.ts';
import { waitsDuring } from '../support/waits.ts';
import { workspace } from '../support/workspace.ts';

/** Prose of 8 KB. */
const prose = readFileSync(join(import.meta.dirname, '../../docs/concepts/sending.md'), 'utf8').slice(
  0,
  8192,
);

const mail = { to: 'anna@people.example.test', subject: 'Hello' };

it.each([
  { path: '/emails', body: { ...mail, text: prose }, headers: {}, lookUp: 'GetItem' },
  {
    path: '/emails',
    body: { ...mail, text: prose },
    headers: { 'idempotency-key': 'one' },
    lookUp: 'BatchGetItem',
  },
  {
    path: '/api/v1/emails/send',
    body: { ...mail, html: prose },
    headers: {},
    lookUp: 'GetItem',
    commit: 'PutItem',
  },
])(
  'a warm send of 8 KB waits five times and calls no S3: $path $headers',
  async ({ path, body, headers, lookUp }) => {
    captureLog();
    const ours = await workspace();
    const client = apiInProcess(ours);
    const send = async (more = {}) => {
      const { status } = await client.post(path, { ...body, from: `desk@${ours.providedDomain}` }, more);
      expect([200, 201]).toContain(status);
    };
    for (let times = 0; times < 2; times++) await send();
    await cloud().waitForQuiescence();
    let waits: readonly (readonly string[])[] = [];
    const calls = await ownCalls(async () => {
      waits = await waitsDuring(() => send(headers));
    });
    expect(waits).toEqual([
      // API key; budget.
      ['GetItem', 'UpdateItem'],
      // Sender.
      ['BatchGetItem'],
      // Suppressions and idempotency key; caps.
      [lookUp, 'UpdateItem'],
      // Content and entries of the thread.
      ['BatchWriteItem'],
      ['TransactWriteItems'],
    ]);
    expect(calls).toEqual(waits.flat().toSorted());
  },
);
