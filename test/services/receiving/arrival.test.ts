/** What tells copies of a message from other messages with its Message-ID. */
import { expect, it } from 'vitest';
import { noVerdicts } from '../../../lib/core/emails/email.ts';
import { parseMime } from '../../../lib/mail/message/parse-mime.ts';
import { newArrival } from '../../../lib/services/receiving/arrival.ts';

const fields = [
  'Message-ID: <order-7@buyer.test>',
  'Date: Mon, 23 Nov 2026 06:00:00 +0000',
  'From: ann@buyer.test',
  'Subject: Order 7',
];
const body = 'Please send it to the new address.';
const genuine = [...fields, 'Content-Type: text/plain', '', body];

async function fingerprintOf(lines: readonly string[], id = 'first'): Promise<string> {
  const origin = { id, returnPath: '', verdicts: noVerdicts, raw: null, isShared: false, isSent: false };
  return (await newArrival(await parseMime(Buffer.from(lines.join('\r\n'))), origin)).fingerprint;
}

it.each([
  ['other trace fields', ['Received: from a.test by b.test', 'Authentication-Results: b.test', ...genuine]],
  [
    'another transfer encoding',
    [
      ...fields,
      'Content-Type: text/plain',
      'Content-Transfer-Encoding: base64',
      '',
      Buffer.from(body).toString('base64'),
    ],
  ],
])('a copy with %s has the fingerprint of its message', async (_, copy) => {
  expect(await fingerprintOf(copy, 'second')).toBe(await fingerprintOf(genuine));
});

/** Each ends as the genuine message does. */
it.each([
  ['declares another type of body', [...fields, 'Content-Type: application/octet-stream', '', body]],
  ['ends its header with a line that is hard to see', [...fields, '\r', 'Ignore this:', '', body]],
])('a message that %s is no copy of the one whose id it borrows', async (_, forged) => {
  expect(await fingerprintOf(forged)).not.toBe(await fingerprintOf(genuine));
});
