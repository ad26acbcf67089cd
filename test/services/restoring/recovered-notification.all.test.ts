import { describe, expect, it } from 'vitest';
import { parseReceiptNotification } from '../../../lib/core/receiving/receipt-notification.ts';
import { parseMime } from '../../../lib/mail/message/parse-mime.ts';
import { recoveredNotification } from '../../../lib/services/restoring/recovered-notification.ts';

const object = { bucket: 'parley-raw-mail-1-us-east-1', key: 'inbound/abc1', region: 'us-east-1' };

/** What a message with these lines on top was received as. */
async function recovered(...lines: readonly string[]) {
  const raw = Buffer.from([...lines, '', 'Hi', ''].join('\r\n'));
  const notification = recoveredNotification(await parseMime(raw), object);
  return notification === null ? null : parseReceiptNotification(notification);
}

const received = (clause: string) =>
  `Received: from mx.test (mx.test [192.0.2.1])\r\n by inbound-smtp.us-east-1.amazonaws.com with SMTP id abc1${clause};\r\n Thu, 26 Nov 2026 07:00:00 +0000 (UTC)`;
const forged = [
  'Received: from a by b for <forged@victim.test>; Thu, 26 Nov 2026 06:00:00 +0000',
  'X-SES-Spam-Verdict: PASS',
  'Return-Path: <forged@victim.test>',
];

describe('recoveredNotification', () => {
  it('has what SES has put on top, and nothing that the sender has', async () => {
    const found = await recovered(
      'Return-Path: <ann@buyer.test>',
      received('\r\n for desk@own.test'),
      'X-SES-Spam-Verdict: FAIL',
      'X-SES-Virus-Verdict: PASS',
      'Authentication-Results: amazonses.com;\r\n spf=pass client-ip=192.0.2.1;\r\n dkim=fail;\r\n dmarc=none;',
      ...forged,
      'To: other@else.test',
    );
    expect(found).toEqual({
      sesId: 'abc1',
      returnPath: 'ann@buyer.test',
      recipients: ['desk@own.test'],
      verdicts: { spam: 'FAIL', virus: 'PASS', spf: 'PASS', dkim: 'FAIL', dmarc: 'GRAY', dmarcPolicy: null },
      raw: object,
    });
  });

  it('takes the recipients in the headers where SES names none', async () => {
    const found = await recovered(
      received(''),
      ...forged,
      'To: a@own.test, "B" <b@own.test>',
      'Cc: a@own.test',
    );
    expect(found?.recipients).toEqual(['a@own.test', 'b@own.test']);
    expect(found?.verdicts.spam).toBe('DISABLED');
  });

  it('is null where nobody is named', async () => {
    expect(await recovered(received(''), ...forged)).toBeNull();
  });
});
