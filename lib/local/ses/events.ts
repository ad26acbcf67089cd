/** Event records of sent mail (SES developer guide, "Contents of event data that Amazon SES publishes to Amazon SNS"). */
import { reportHeaders } from './header-report.ts';
import { readHeaders } from './headers.ts';
import { domainOf } from './outcomes.ts';
import type { SentMail } from './sent-mail.ts';

/** Values of `MatchingEventTypes` and the `eventType` of their records. */
export const eventTypes = {
  SEND: 'Send',
  REJECT: 'Reject',
  BOUNCE: 'Bounce',
  COMPLAINT: 'Complaint',
  DELIVERY: 'Delivery',
  OPEN: 'Open',
  CLICK: 'Click',
  RENDERING_FAILURE: 'Rendering Failure',
  DELIVERY_DELAY: 'DeliveryDelay',
  SUBSCRIPTION: 'Subscription',
} as const;
export type EventType = keyof typeof eventTypes;

/** The type of an event and the object named after it. */
export interface EventBody {
  readonly type: EventType;
  readonly content: Readonly<Record<string, unknown>>;
}

/** Field of `content`: `bounce`, `deliveryDelay`; `failure` for a rendering failure. */
function contentName(type: EventType): string {
  if (type === 'RENDERING_FAILURE') return 'failure';
  const name = eventTypes[type];
  return name.charAt(0).toLowerCase() + name.slice(1);
}

/** The JSON of an event record. */
export function eventJson(mail: SentMail, account: string, { type, content }: EventBody): string {
  return JSON.stringify({
    eventType: eventTypes[type],
    [contentName(type)]: content,
    mail: mailObject(mail, account),
  });
}

function mailObject(mail: SentMail, account: string) {
  return {
    timestamp: new Date(mail.at).toISOString(),
    source: mail.from,
    sourceArn: `arn:aws:ses:${mail.region}:${account}:identity/${mail.identity}`,
    sendingAccountId: account,
    messageId: mail.id,
    destination: mail.recipients,
    // `headers` has the Message-ID of the submitted message, `commonHeaders` the one of SES.
    ...reportHeaders(readHeaders(mail.raw).fields, { messageId: mail.id }),
    tags: {
      'ses:source-ip': ['127.0.0.1'],
      'ses:from-domain': mail.senders.slice(0, 1).map(domainOf),
      'ses:caller-identity': [mail.principal],
      'ses:operation': ['SendEmail'],
      ...(mail.configurationSet !== null && { 'ses:configuration-set': [mail.configurationSet] }),
      ...Object.fromEntries(Object.entries(mail.tags).map(([name, value]) => [name, [value]])),
    },
  };
}

/** Time, region and feedback id of an event. */
export interface EventContext {
  readonly at: number;
  readonly region: string;
  readonly feedbackId: string;
}

export const sendEvent: EventBody = { type: 'SEND', content: {} };

/** SES found a virus after it accepted the message. */
export const rejectEvent: EventBody = { type: 'REJECT', content: { reason: 'Bad content' } };

export function deliveryEvent(
  recipients: readonly string[],
  sentAt: number,
  context: EventContext,
): EventBody {
  return {
    type: 'DELIVERY',
    content: {
      timestamp: new Date(context.at).toISOString(),
      processingTimeMillis: Math.round(context.at - sentAt),
      recipients,
      smtpResponse: '250 ok',
      reportingMTA: outgoingHost(context.region),
      remoteMtaIp: '127.0.0.1',
    },
  };
}

interface Failure {
  readonly bounceType: 'Permanent' | 'Transient';
  readonly bounceSubType: string;
  /** Absent for asynchronous bounces without a DSN. */
  readonly recipient?: {
    readonly action: 'failed';
    readonly status: string;
    readonly diagnosticCode: string;
  };
}

/** Bounce types by outcome. */
const failures = {
  bounce: {
    bounceType: 'Permanent',
    bounceSubType: 'General',
    recipient: { action: 'failed', status: '5.1.1', diagnosticCode: 'smtp; 550 5.1.1 user unknown' },
  },
  'soft-bounce': {
    bounceType: 'Transient',
    bounceSubType: 'MailboxFull',
    recipient: { action: 'failed', status: '4.2.2', diagnosticCode: 'smtp; 452 4.2.2 mailbox full' },
  },
  suppressed: {
    bounceType: 'Permanent',
    bounceSubType: 'Suppressed',
    recipient: {
      action: 'failed',
      status: '5.1.1',
      diagnosticCode:
        'Amazon SES has suppressed sending to this address because it has a recent history of bouncing as an invalid address.',
    },
  },
  'account-suppressed-bounce': {
    bounceType: 'Permanent',
    bounceSubType: 'OnAccountSuppressionList',
    recipient: {
      action: 'failed',
      status: '5.1.1',
      diagnosticCode:
        'Amazon SES did not send the message to this address because it is on the suppression list for your account.',
    },
  },
  'out-of-office': { bounceType: 'Transient', bounceSubType: 'General' },
} as const satisfies Record<string, Failure>;

export function bounceEvent(
  kind: keyof typeof failures,
  recipients: readonly string[],
  context: EventContext,
): EventBody {
  const { bounceType, bounceSubType, recipient }: Failure = failures[kind];
  return {
    type: 'BOUNCE',
    content: {
      bounceType,
      bounceSubType,
      bouncedRecipients: recipients.map((emailAddress) => ({ emailAddress, ...recipient })),
      timestamp: new Date(context.at).toISOString(),
      feedbackId: context.feedbackId,
      reportingMTA: `dns; ${outgoingHost(context.region)}`,
    },
  };
}

/** Lists all recipients at the domain: feedback loops do not name who complained. */
export function complaintEvent(recipients: readonly string[], context: EventContext): EventBody {
  const timestamp = new Date(context.at).toISOString();
  return {
    type: 'COMPLAINT',
    content: {
      complainedRecipients: recipients.map((emailAddress) => ({ emailAddress })),
      timestamp,
      feedbackId: context.feedbackId,
      complaintSubType: null,
      userAgent: 'Amazon SES Mailbox Simulator',
      complaintFeedbackType: 'abuse',
      arrivalDate: timestamp,
    },
  };
}

/** A message that SES did not send, because an earlier one was complained about. */
export function suppressedComplaintEvent(recipients: readonly string[], context: EventContext): EventBody {
  return {
    type: 'COMPLAINT',
    content: {
      complainedRecipients: recipients.map((emailAddress) => ({ emailAddress })),
      timestamp: new Date(context.at).toISOString(),
      feedbackId: context.feedbackId,
      complaintSubType: 'OnAccountSuppressionList',
    },
  };
}

/** SES retries for 14 hours. */
const deliveryRetryMs = 50_400_000;

export function deliveryDelayEvent(recipients: readonly string[], context: EventContext): EventBody {
  return {
    type: 'DELIVERY_DELAY',
    content: {
      delayType: 'TransientCommunicationFailure',
      delayedRecipients: recipients.map((emailAddress) => ({
        emailAddress,
        status: '4.4.1',
        diagnosticCode: 'smtp; 421 4.4.1 Unable to connect to remote host',
      })),
      expirationTime: new Date(context.at + deliveryRetryMs).toISOString(),
      reportingMTA: outgoingHost(context.region),
      timestamp: new Date(context.at).toISOString(),
    },
  };
}

function outgoingHost(region: string): string {
  return region === 'us-east-1' ? 'a8-70.smtp-out.amazonses.com' : `e1-1.smtp-out.${region}.amazonses.com`;
}
