/** The header fields that SES adds before a received message. */
import { headerLines, mailDate } from './headers.ts';
import type { IncomingMail } from './incoming-mail.ts';
import type { Verdict, Verdicts } from './verdicts.ts';

export function traceHeaders(
  mail: IncomingMail,
  receipt: {
    readonly region: string;
    readonly at: number;
    readonly messageId: string;
    readonly recipients: readonly string[];
    readonly verdicts: Verdicts;
  },
): string {
  const { remoteAddress = '127.0.0.1', hostName = 'localhost' } = mail;
  const { region, at, messageId, recipients, verdicts: found } = receipt;
  const host = oneLine(hostName);
  const [only, ...more] = recipients;
  const forClause = more.length === 0 ? `\r\n for ${only}` : '';
  const spf = found.spfVerdict.status === 'PASS' ? 'pass' : 'none';
  const from = oneLine(mail.from);
  return headerLines([
    ['Return-Path', `<${from}>`],
    [
      'Received',
      `from ${host} (${host} [${remoteAddress}])\r\n by inbound-smtp.${region}.amazonaws.com with SMTP id ${messageId}${forClause};\r\n ${mailDate(at)} (UTC)`,
    ],
    ['X-SES-Spam-Verdict', found.spamVerdict.status],
    ['X-SES-Virus-Verdict', found.virusVerdict.status],
    ['Received-SPF', `${spf} client-ip=${remoteAddress}; envelope-from=${from}; helo=${host};`],
    [
      'Authentication-Results',
      `amazonses.com;\r\n spf=${spf} client-ip=${remoteAddress};\r\n dkim=${authenticationResult(found.dkimVerdict.status)};\r\n dmarc=${authenticationResult(found.dmarcVerdict.status)};`,
    ],
  ]);
}

/** A verdict in Authentication-Results (RFC 8601 section 2.7). */
function authenticationResult(verdict: Verdict): string {
  return { PASS: 'pass', FAIL: 'fail', GRAY: 'none', PROCESSING_FAILED: 'temperror', DISABLED: 'none' }[
    verdict
  ];
}

function oneLine(text: string): string {
  return text.replace(/\p{Cc}+/gu, ' ');
}
