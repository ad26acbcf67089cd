/** Receives mail in one region: the S3 action of the receipt rules and its notification. */
import type { LocalClock } from '../aws/service.ts';
import type { SesConnections } from './connections.ts';
import { addressesOf, reportHeaders } from './header-report.ts';
import { type HeaderField, readHeaders } from './headers.ts';
import type { Identities } from './identities.ts';
import { newReceiptId } from './ids.ts';
import type { IncomingMail } from './incoming-mail.ts';
import { domainOf } from './outcomes.ts';
import type { MatchedRule, ReceiptRuleSet, ReceiptRules } from './receipt-rules.ts';
import { setupMail, setupMessageId } from './setup-mail.ts';
import { traceHeaders } from './trace-headers.ts';
import { type Verdicts, verdictsOf } from './verdicts.ts';

/** A completed S3 action of a rule. */
export interface ReceivedMail {
  readonly region: string;
  readonly messageId: string;
  readonly recipients: readonly string[];
  readonly bucket: string;
  readonly key: string;
}

export interface Receiving {
  /** Whether RCPT TO accepts an address. */
  accepts(address: string): Promise<boolean>;
  /** Runs the matching rules. `accepts` must be true for all recipients. */
  receive(mail: IncomingMail): Promise<ReceivedMail[]>;
  /** Sends the set-up notification of each rule: an object and a message, as of a mail with the id `setupMessageId`. */
  sendSetupNotifications(ruleSet: ReceiptRuleSet): Promise<void>;
}

export interface ReceivingOptions {
  readonly connections: Pick<SesConnections, 'store' | 'publish'>;
  readonly region: string;
  readonly clock: Pick<LocalClock, 'now'>;
  readonly identities: Identities;
  readonly rules: ReceiptRules;
}

export function createReceiving(options: ReceivingOptions): Receiving {
  const { connections, region, clock, identities, rules } = options;

  /** Stores the object of a rule and publishes its notification; null: S3 denied it. */
  const runAction = async (
    { rule, arn, recipients }: MatchedRule,
    mail: IncomingMail,
    message: {
      readonly at: number;
      readonly messageId: string;
      readonly stored: Buffer;
      readonly verdicts: Verdicts;
    },
  ): Promise<ReceivedMail | null> => {
    const { at, messageId, stored, verdicts } = message;
    const { bucket, prefix, topicArn } = rule.s3;
    const key = `${prefix}${messageId}`;
    if (!(await connections.store(bucket, key, stored, arn))) return null;
    const notification = {
      notificationType: 'Received',
      mail: mailObject(mail, { at, messageId, fields: readHeaders(stored).fields, recipients }),
      receipt: {
        timestamp: new Date(at).toISOString(),
        processingTimeMillis: Math.round(clock.now() - at),
        recipients,
        ...verdicts,
        action: { type: 'S3', topicArn, bucketName: bucket, objectKeyPrefix: prefix, objectKey: key },
      },
    };
    connections.publish(topicArn, JSON.stringify(notification), arn);
    return { region, messageId, recipients, bucket, key };
  };

  return {
    accepts: async (address) => rules.match([address]).length > 0 && identities.mayReceive(domainOf(address)),
    receive: async (mail) => {
      const at = clock.now();
      const messageId = newReceiptId();
      const { fields } = readHeaders(mail.raw);
      const received: ReceivedMail[] = [];
      for (const matched of rules.match(mail.recipients)) {
        const verdicts = verdictsOf(fields, mail, matched.rule.scanEnabled);
        const trace = traceHeaders(mail, { region, at, messageId, recipients: matched.recipients, verdicts });
        const stored = Buffer.concat([Buffer.from(trace), mail.raw]);
        const done = await runAction(matched, mail, { at, messageId, stored, verdicts });
        if (done) received.push(done);
      }
      return received;
    },
    sendSetupNotifications: async (ruleSet) => {
      for (const rule of ruleSet.rules) {
        const at = clock.now();
        const mail = setupMail(region, at);
        const { recipients, raw: stored } = mail;
        const verdicts = verdictsOf(readHeaders(stored).fields, mail, rule.scanEnabled);
        const matched = { rule, arn: rules.arnOf(ruleSet.name, rule), recipients };
        await runAction(matched, mail, { at, messageId: setupMessageId, stored, verdicts });
      }
    },
  };
}

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
