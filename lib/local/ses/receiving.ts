/** Mail that arrives in one region: receipt rules, the stored message, and the notification of the S3 action. */
import type { LocalClock } from '../aws/service.ts';
import { addressesOf, reportHeaders } from './header-report.ts';
import { type HeaderField, headerLines, mailDate, readHeaders, valuesOf } from './headers.ts';
import type { Identities } from './identities.ts';
import { newReceiptId } from './ids.ts';
import { domainOf } from './outcomes.ts';

export interface ReceiptRule {
  /** Addresses, domains, or `.domain` for what is below it; absent: everyone at every verified domain. */
  readonly recipients?: readonly string[];
  readonly s3: { readonly bucket: string; readonly prefix: string; readonly topicArn: string };
  readonly scanEnabled: boolean;
  readonly enabled: boolean;
}

export interface ReceiptRuleSet {
  readonly rules: readonly ReceiptRule[];
  readonly active: boolean;
}

export interface IncomingMail {
  /** Envelope sender; empty for a report. */
  readonly from: string;
  readonly recipients: readonly string[];
  /** Any bytes. */
  readonly raw: Buffer;
  readonly remoteAddress?: string;
  /** Name the sender gave in EHLO. */
  readonly hostName?: string;
  /** The sender is an SES identity of this cloud, so that SPF, DKIM and DMARC pass. */
  readonly isAuthenticated?: boolean;
}

/** One execution of a rule's S3 action. */
export interface ReceivedMail {
  readonly region: string;
  readonly messageId: string;
  readonly recipients: readonly string[];
  readonly bucket: string;
  readonly key: string;
}

export interface Receiving {
  setRuleSet(ruleSet: ReceiptRuleSet): void;
  /** Whether the SMTP stage takes mail for an address. */
  accepts(address: string): Promise<boolean>;
  /** Stores and announces; all recipients must be accepted ones. */
  receive(mail: IncomingMail): Promise<ReceivedMail[]>;
}

export interface ReceivingOptions {
  readonly region: string;
  readonly clock: Pick<LocalClock, 'now'>;
  readonly identities: Identities;
  store(bucket: string, key: string, body: Buffer): Promise<void>;
  publish(topicArn: string, message: string): void;
}

export function createReceiving({ region, clock, identities, store, publish }: ReceivingOptions): Receiving {
  let rules: readonly ReceiptRule[] = [];

  return {
    setRuleSet: (ruleSet) => {
      rules = ruleSet.active ? ruleSet.rules.filter((rule) => rule.enabled) : [];
    },
    accepts: async (address) =>
      rules.some((rule) => matches(rule, address)) && identities.mayReceive(domainOf(address)),
    receive: async (mail) => {
      const at = clock.now();
      const messageId = newReceiptId();
      const { fields } = readHeaders(mail.raw);
      const received: ReceivedMail[] = [];
      // Every rule that matches acts; there is no "stop" action here.
      for (const rule of rules) {
        const recipients = mail.recipients.filter((address) => matches(rule, address));
        if (recipients.length === 0) continue;
        const { bucket, prefix, topicArn } = rule.s3;
        const verdicts = verdictsOf(fields, mail, rule.scanEnabled);
        const key = `${prefix}${messageId}`;
        const trace = traceHeaders(mail, { region, at, messageId, recipients, verdicts });
        const stored = Buffer.concat([Buffer.from(trace), mail.raw]);
        await store(bucket, key, stored);
        const receipt = {
          timestamp: new Date(at).toISOString(),
          processingTimeMillis: Math.round(clock.now() - at),
          recipients,
          ...verdicts,
          action: { type: 'S3', topicArn, bucketName: bucket, objectKeyPrefix: prefix, objectKey: key },
        };
        publish(
          topicArn,
          JSON.stringify({
            notificationType: 'Received',
            mail: mailObject(mail, { at, messageId, fields: readHeaders(stored).fields, recipients }),
            receipt,
          }),
        );
        received.push({ region, messageId, recipients, bucket, key });
      }
      return received;
    },
  };
}

/** Conditions are compared with the envelope, case-blind (SES developer guide, "recipient conditions"). */
function matches({ recipients }: ReceiptRule, address: string): boolean {
  if (recipients === undefined || recipients.length === 0) return true;
  const domain = domainOf(address);
  return recipients.some((condition) => {
    const wanted = condition.toLowerCase();
    if (wanted.startsWith('.')) return domain.endsWith(wanted);
    return wanted.includes('@') ? wanted === address.toLowerCase() : wanted === domain;
  });
}

type Verdict = 'PASS' | 'FAIL' | 'GRAY' | 'PROCESSING_FAILED' | 'DISABLED';

interface Verdicts {
  readonly spamVerdict: { readonly status: Verdict };
  readonly virusVerdict: { readonly status: Verdict };
  readonly spfVerdict: { readonly status: Verdict };
  readonly dkimVerdict: { readonly status: Verdict };
  readonly dmarcVerdict: { readonly status: Verdict };
  /** Only where DMARC failed. */
  readonly dmarcPolicy?: string;
}

/** A test says otherwise by a header of the message: `X-Local-Spam-Verdict: FAIL`, `X-Local-Dmarc-Policy: reject`. */
function verdictsOf(fields: readonly HeaderField[], mail: IncomingMail, isScanned: boolean): Verdicts {
  const verdict = (check: string, otherwise: Verdict) => {
    const wanted = valuesOf(fields, `x-local-${check}-verdict`)[0]?.toUpperCase();
    return { status: verdicts.find((known) => known === wanted) ?? otherwise };
  };
  const scan = isScanned ? 'PASS' : 'DISABLED';
  const sender = mail.isAuthenticated ? 'PASS' : 'GRAY';
  const dmarcVerdict = verdict('dmarc', sender);
  return {
    spamVerdict: verdict('spam', scan),
    virusVerdict: verdict('virus', scan),
    spfVerdict: verdict('spf', sender),
    dkimVerdict: verdict('dkim', sender),
    dmarcVerdict,
    ...(dmarcVerdict.status === 'FAIL' && {
      dmarcPolicy: valuesOf(fields, 'x-local-dmarc-policy')[0] ?? 'none',
    }),
  };
}

const verdicts: readonly Verdict[] = ['PASS', 'FAIL', 'GRAY', 'PROCESSING_FAILED', 'DISABLED'];

function mailObject(
  mail: IncomingMail,
  message: {
    readonly at: number;
    readonly messageId: string;
    readonly fields: readonly HeaderField[];
    readonly recipients: readonly string[];
  },
) {
  // Addresses of the header, which are not the envelope's: who was blind-copied stands in `receipt.recipients` only.
  const named = ['to', 'cc'].flatMap((name) => addressesOf(message.fields, name));
  return {
    timestamp: new Date(message.at).toISOString(),
    source: mail.from,
    messageId: message.messageId,
    destination: (named.length > 0 ? named : message.recipients).slice(0, destinationsMax),
    ...reportHeaders(message.fields, { returnPath: mail.from }),
  };
}

/** Keeps the notification below the 256 KB that a topic takes. */
const destinationsMax = 1_000;

/** The lines that SES puts before a message. */
function traceHeaders(
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
  const forWhom = more.length === 0 ? `\r\n for ${only}` : '';
  const spf = found.spfVerdict.status === 'PASS' ? 'pass' : 'none';
  const from = oneLine(mail.from);
  return headerLines([
    ['Return-Path', `<${from}>`],
    [
      'Received',
      `from ${host} (${host} [${remoteAddress}])\r\n by inbound-smtp.${region}.amazonaws.com with SMTP id ${messageId}${forWhom};\r\n ${mailDate(at)} (UTC)`,
    ],
    ['X-SES-Spam-Verdict', found.spamVerdict.status],
    ['X-SES-Virus-Verdict', found.virusVerdict.status],
    ['Received-SPF', `${spf} client-ip=${remoteAddress}; envelope-from=${from}; helo=${host};`],
    [
      'Authentication-Results',
      `amazonses.com;\r\n spf=${spf} client-ip=${remoteAddress};\r\n dkim=${word(found.dkimVerdict.status)};\r\n dmarc=${word(found.dmarcVerdict.status)};`,
    ],
  ]);
}

/** A verdict as Authentication-Results has it (RFC 8601 2.7). */
function word(verdict: Verdict): string {
  return { PASS: 'pass', FAIL: 'fail', GRAY: 'none', PROCESSING_FAILED: 'temperror', DISABLED: 'none' }[
    verdict
  ];
}

function oneLine(text: string): string {
  return text.replace(/\p{Cc}+/gu, ' ');
}
