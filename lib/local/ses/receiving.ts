/** Receives mail in one region: receipt rules, the S3 action and its notification. */
import { AwsError, type LocalClock } from '../aws/service.ts';
import { addressesOf, reportHeaders } from './header-report.ts';
import { type HeaderField, headerLines, mailDate, readHeaders, valuesOf } from './headers.ts';
import type { Identities } from './identities.ts';
import { newReceiptId } from './ids.ts';
import { domainOf } from './outcomes.ts';

export interface ReceiptRule {
  readonly name: string;
  /** Addresses, domains, or `.domain` for subdomains; absent: all recipients at verified domains. */
  readonly recipients?: readonly string[];
  readonly s3: { readonly bucket: string; readonly prefix: string; readonly topicArn: string };
  readonly scanEnabled: boolean;
  readonly enabled: boolean;
}

export interface ReceiptRuleSet {
  readonly name: string;
  readonly rules: readonly ReceiptRule[];
  readonly active: boolean;
}

export interface IncomingMail {
  /** Envelope sender; empty for a DSN. */
  readonly from: string;
  readonly recipients: readonly string[];
  readonly raw: Buffer;
  readonly remoteAddress?: string;
  /** EHLO name of the client. */
  readonly hostName?: string;
  /** Whether SPF, DKIM and DMARC pass: the sender is an SES identity of this cloud. */
  readonly isAuthenticated?: boolean;
}

/** A completed S3 action of a rule. */
export interface ReceivedMail {
  readonly region: string;
  readonly messageId: string;
  readonly recipients: readonly string[];
  readonly bucket: string;
  readonly key: string;
}

export interface Receiving {
  /** Creates the rules. @throws AwsError when SES may not write to a bucket or publish to a topic */
  setRuleSet(ruleSet: ReceiptRuleSet): void;
  /** null: no rule set is active. */
  activeRuleSet(): ReceiptRuleSet | null;
  /** Activates a rule set; null: none. @throws AwsError for an unknown name */
  activate(name: string | null): void;
  /** Sends the set-up notification of each rule: an object and a message, as of a mail with the id `setupMessageId`. */
  sendSetupNotifications(ruleSet: ReceiptRuleSet): Promise<void>;
  /** Whether RCPT TO accepts an address. */
  accepts(address: string): Promise<boolean>;
  /** Runs the matching rules. `accepts` must be true for all recipients. */
  receive(mail: IncomingMail): Promise<ReceivedMail[]>;
}

export interface ReceivingOptions {
  readonly region: string;
  readonly clock: Pick<LocalClock, 'now'>;
  readonly identities: Identities;
  readonly account: string;
  /** Writes an object; false: S3 denied it. `sourceArn`: the receipt rule. */
  store(bucket: string, key: string, body: Buffer, sourceArn: string): Promise<boolean>;
  /** `sourceArn`: the receipt rule. */
  publish(topicArn: string, message: string, sourceArn: string): void;
  /** Whether SES may write to a bucket and publish to a topic. */
  mayAct(rule: ReceiptRule, sourceArn: string): true | AwsError;
}

/** The message id and object name of SES's set-up notifications. */
export const setupMessageId = 'AMAZON_SES_SETUP_NOTIFICATION';

export function createReceiving(options: ReceivingOptions): Receiving {
  const { region, clock, identities, store, publish } = options;
  let ruleSet: ReceiptRuleSet | null = null;
  const rules = () => (ruleSet?.active ? ruleSet.rules.filter((rule) => rule.enabled) : []);

  const arnOf = (ruleSet: string, rule: ReceiptRule) =>
    `arn:aws:ses:${region}:${options.account}:receipt-rule-set/${ruleSet}:receipt-rule/${rule.name}`;

  return {
    setRuleSet: (created) => {
      for (const rule of created.rules) {
        const result = options.mayAct(rule, arnOf(created.name, rule));
        if (result !== true) throw result;
      }
      ruleSet = created;
    },
    activeRuleSet: () => (ruleSet?.active ? ruleSet : null),
    activate: (name) => {
      if (name !== null && name !== ruleSet?.name) {
        throw new AwsError('RuleSetDoesNotExist', `Rule set does not exist: ${name}`);
      }
      if (ruleSet) ruleSet = { ...ruleSet, active: name !== null };
    },
    sendSetupNotifications: async ({ name, rules: created }) => {
      for (const rule of created) {
        const at = clock.now();
        const { bucket, prefix, topicArn } = rule.s3;
        const sourceArn = arnOf(name, rule);
        const key = `${prefix}${setupMessageId}`;
        const message = setupMessage(region, at);
        if (!(await store(bucket, key, message, sourceArn))) continue;
        const incoming = { from: setupSender, recipients: ['recipient@example.com'], raw: message };
        const { fields } = readHeaders(message);
        publish(
          topicArn,
          JSON.stringify({
            notificationType: 'Received',
            mail: mailObject(incoming, {
              at,
              messageId: setupMessageId,
              fields,
              recipients: incoming.recipients,
            }),
            receipt: {
              timestamp: new Date(at).toISOString(),
              processingTimeMillis: 0,
              recipients: incoming.recipients,
              ...verdictsOf(fields, incoming, rule.scanEnabled),
              action: { type: 'S3', topicArn, bucketName: bucket, objectKeyPrefix: prefix, objectKey: key },
            },
          }),
          sourceArn,
        );
      }
    },
    accepts: async (address) =>
      rules().some((rule) => matches(rule, address)) && identities.mayReceive(domainOf(address)),
    receive: async (mail) => {
      const at = clock.now();
      const messageId = newReceiptId();
      const { fields } = readHeaders(mail.raw);
      const received: ReceivedMail[] = [];
      // All matching rules run: the Stop action is not emulated.
      for (const rule of rules()) {
        const recipients = mail.recipients.filter((address) => matches(rule, address));
        if (recipients.length === 0) continue;
        const { bucket, prefix, topicArn } = rule.s3;
        const verdicts = verdictsOf(fields, mail, rule.scanEnabled);
        const key = `${prefix}${messageId}`;
        const trace = traceHeaders(mail, { region, at, messageId, recipients, verdicts });
        const stored = Buffer.concat([Buffer.from(trace), mail.raw]);
        const sourceArn = arnOf(ruleSet?.name ?? '', rule);
        if (!(await store(bucket, key, stored, sourceArn))) continue;
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
          sourceArn,
        );
        received.push({ region, messageId, recipients, bucket, key });
      }
      return received;
    },
  };
}

const setupSender = 'aws@amazon.com';

/** The mail in the set-up notification of an S3 action. */
function setupMessage(region: string, atMs: number): Buffer {
  const fields = headerLines([
    ['From', 'Amazon Web Services <aws@amazon.com>'],
    ['To', 'recipient@example.com'],
    ['Subject', 'Amazon SES Setup Notification'],
    ['Date', mailDate(atMs)],
    ['Message-ID', `<${setupMessageId}@inbound-smtp.${region}.amazonaws.com>`],
  ]);
  const text =
    'You received this message because you attempted to set up Amazon SES to deliver emails to this S3 bucket.';
  return Buffer.from(`${fields}\r\n${text}\r\n`);
}

/** Recipient conditions match the envelope, case-insensitively (SES developer guide, "Email receiving concepts and use cases"). */
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
  /** Present when DMARC fails. */
  readonly dmarcPolicy?: string;
}

/** The verdicts; header fields of the message override them: `X-Local-Spam-Verdict: FAIL`, `X-Local-Dmarc-Policy: reject`. */
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
  // `destination` has the header's addresses; Bcc recipients are in `receipt.recipients` only.
  const named = ['to', 'cc'].flatMap((name) => addressesOf(message.fields, name));
  return {
    timestamp: new Date(message.at).toISOString(),
    source: mail.from,
    messageId: message.messageId,
    destination: (named.length > 0 ? named : message.recipients).slice(0, destinationsMax),
    ...reportHeaders(message.fields, { returnPath: mail.from }),
  };
}

/** Keeps the notification below SNS's 256 KB. */
const destinationsMax = 1_000;

/** The header fields that SES adds before a message. */
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
