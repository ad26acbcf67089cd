/** Bodies of webhooks of format v1. */
import { describe, expect, it } from 'vitest';
import type { EmailContent, EmailHead, FullEmail, HistoryEntry } from '../../../../lib/core/emails/email.ts';
import { noVerdicts } from '../../../../lib/core/emails/email.ts';
import { composeId, type IdPrefix } from '../../../../lib/core/ids.ts';
import type { Engagement } from '../../../../lib/core/tracking/engagement.ts';
import type { Endpoint } from '../../../../lib/core/webhooks/endpoint.ts';
import type { V1EventType } from '../../../../lib/core/webhooks/v1-format.ts';
import { v1StatusOf } from '../../../../lib/http/presenters/v1/email.ts';
import { presentV1Webhook, v1WebhookBodies } from '../../../../lib/http/presenters/v1/webhook.ts';
import type { V1Event } from '../../../../lib/services/webhooks/load-v1-event.ts';

const at = Date.UTC(2026, 0, 2, 3, 4, 5, 6);
const time = '2026-01-02T03:04:05.006Z';
const id = <P extends IdPrefix>(prefix: P) => composeId(prefix, at, new Uint8Array(10).fill(5));

const head: EmailHead = {
  id: id('eml'),
  threadId: id('thr'),
  spaceId: null,
  status: 'delivered',
  from: { name: 'Desk', address: 'desk@acme.test' },
  to: [{ name: 'Ann', address: 'ann@example.com' }],
  others: [],
  subject: 'Hello',
  snippet: 'Hello there',
  category: null,
  suspicious: false,
  suppressionKey: null,
  messageId: '<1@acme.test>',
  inReplyTo: '<0@example.com>',
  idempotencyKey: null,
  domainId: id('dom'),
  mailboxId: null,
  createdAt: at,
  scheduledAt: null,
  sentAt: at,
  revision: 0,
};
const file = { id: id('att'), filename: 'a.pdf', contentType: 'application/pdf', size: 3, cid: null };
const content: EmailContent = {
  cc: [{ name: null, address: 'cc@example.com' }],
  bcc: [{ name: null, address: 'bcc@example.com' }],
  replyTo: [],
  html: '<p>Hello there</p>',
  text: 'Hello there',
  strippedText: 'Hello there',
  strippedHtml: null,
  segments: [],
  references: ['<0@example.com>'],
  headers: [],
  attachments: [file],
  verdicts: noVerdicts,
};
const email: FullEmail = {
  head,
  content,
  history: [],
  chunks: [],
  extractions: new Map(),
  engagementCount: 0,
};

const record = {
  id: head.id,
  createdAt: time,
  messageId: '<1@acme.test>',
  inReplyToId: '<0@example.com>',
  references: ['<0@example.com>'],
  subject: 'Hello',
  text: 'Hello there',
  html: '<p>Hello there</p>',
  strippedText: 'Hello there',
  strippedHtml: null,
  snippet: 'Hello there',
  fromName: 'Desk',
  fromAddress: 'desk@acme.test',
  toAddresses: ['ann@example.com'],
  ccAddresses: ['cc@example.com'],
  bccAddresses: ['bcc@example.com'],
  replyToAddresses: [],
  sentAt: time,
  receivedAt: null,
  direction: 'OUTBOUND',
  status: 'SENT',
  threadId: head.threadId,
  attachments: [
    {
      id: file.id,
      createdAt: time,
      fileName: 'a.pdf',
      contentType: 'application/pdf',
      sizeInBytes: 3,
      cid: null,
      disposition: 'attachment',
      signedUrl: 'https://content.test/a',
      expiresAt: '2026-01-02T03:19:05.006Z',
    },
  ],
};

function present(
  type: V1EventType,
  change: Partial<V1Event> = {},
  clickEvent: Endpoint['clickEvent'] = 'link_clicked',
) {
  const event: V1Event = {
    type,
    at,
    email,
    citations: { inReplyToId: '<0@example.com>', references: ['<0@example.com>'] },
    attachments: [{ file, downloadUrl: 'https://content.test/a', extraction: null }],
    organization: { id: id('wks'), slug: 'acme' },
    entry: null,
    engagement: null,
    ...change,
  };
  const body = presentV1Webhook(event, { clickEvent, number: 2, atMs: at });
  expect(v1WebhookBodies[type].schema.parse(body)).toEqual(body);
  return body;
}

const entry = (change: Partial<HistoryEntry>): HistoryEntry => ({
  type: 'delivered',
  at,
  recipients: ['ann@example.com'],
  detail: null,
  ...change,
});
const engagement: Engagement = {
  type: 'click',
  at,
  url: 'https://acme.dev/a?b',
  userAgent: 'Firefox',
  bot: false,
};

describe('presentV1Webhook', () => {
  const facts = { messageId: '<1@acme.test>', emailId: head.id };

  it('presents a received email', () => {
    const received: FullEmail = {
      ...email,
      head: {
        ...head,
        status: 'received',
        sentAt: null,
        subject: '',
        snippet: '',
        from: { name: null, address: 'a@b.test' },
      },
    };
    expect(present('email.received', { email: received })).toEqual({
      event: 'inbound.email.received',
      data: {
        email: {
          ...record,
          subject: null,
          snippet: null,
          fromName: null,
          fromAddress: 'a@b.test',
          sentAt: null,
          receivedAt: time,
          direction: 'INBOUND',
          status: 'RECEIVED',
        },
        organization: { id: id('wks'), slug: 'acme' },
      },
      attempt: 2,
      timestamp: Math.floor(at / 1000),
    });
  });

  it.each<[V1EventType, string, Partial<V1Event>, object]>([
    [
      'email.delivered',
      'outbound.email.delivered',
      { entry: entry({ detail: '250 OK', facts: { processingTimeMs: 0, remoteMtaIp: '192.0.2.10' } }) },
      {
        deliveredAt: time,
        recipients: ['ann@example.com'],
        processingTimeMs: 0,
        remoteMtaIp: '192.0.2.10',
        smtpResponse: '250 OK',
      },
    ],
    [
      'email.bounced',
      'outbound.email.bounced',
      {
        entry: entry({
          type: 'bounced',
          permanent: false,
          recipients: ['ann@example.com', 'ben@example.com', 'cy@example.com'],
          detail: 'smtp; 452 4.2.2 mailbox full',
          facts: {
            bounceType: 'Undetermined',
            bounceSubType: 'Undetermined',
            recipients: [
              { action: 'failed', status: '4.2.2', diagnosticCode: 'smtp; 452 4.2.2 mailbox full' },
              { action: 'delayed', diagnosticCode: 'smtp; 450 4.7.1 later' },
              {},
            ],
          },
        }),
      },
      {
        bouncedAt: time,
        bounceType: 'Undetermined',
        bounceSubType: 'Undetermined',
        recipients: [
          {
            emailAddress: 'ann@example.com',
            action: 'failed',
            status: '4.2.2',
            diagnosticCode: 'smtp; 452 4.2.2 mailbox full',
          },
          {
            emailAddress: 'ben@example.com',
            action: 'delayed',
            status: '4.7.1',
            diagnosticCode: 'smtp; 450 4.7.1 later',
          },
          { emailAddress: 'cy@example.com' },
        ],
      },
    ],
    [
      'email.bounced',
      'outbound.email.bounced',
      { entry: entry({ type: 'bounced', permanent: true, detail: 'smtp; 550 5.1.1 user unknown' }) },
      {
        bouncedAt: time,
        bounceType: 'Permanent',
        recipients: [
          {
            emailAddress: 'ann@example.com',
            action: 'failed',
            status: '5.1.1',
            diagnosticCode: 'smtp; 550 5.1.1 user unknown',
          },
        ],
      },
    ],
    [
      'email.bounced',
      'outbound.email.bounced',
      { entry: entry({ type: 'bounced', permanent: false }) },
      {
        bouncedAt: time,
        bounceType: 'Transient',
        recipients: [{ emailAddress: 'ann@example.com', action: 'failed' }],
      },
    ],
    [
      'email.bounced',
      'outbound.email.bounced',
      {},
      { bouncedAt: time, bounceType: 'Undetermined', recipients: [] },
    ],
    [
      'email.complained',
      'outbound.email.complained',
      {
        entry: entry({
          type: 'complained',
          detail: 'abuse',
          facts: { feedbackId: 'feedback-1', userAgent: 'Yahoo!-Mail-Feedback/2.0' },
        }),
      },
      {
        complainedAt: time,
        recipients: ['ann@example.com'],
        complaintFeedbackType: 'abuse',
        feedbackId: 'feedback-1',
        userAgent: 'Yahoo!-Mail-Feedback/2.0',
      },
    ],
    [
      'email.failed',
      'outbound.email.rejected',
      { email: { ...email, history: [entry({ type: 'failed', detail: 'Bad content' })] } },
      { rejectedAt: time, reason: 'Bad content' },
    ],
    ['email.opened', 'outbound.email.opened', { engagement }, { openedAt: time, userAgent: 'Firefox' }],
    [
      'email.clicked',
      'outbound.email.link_clicked',
      { engagement },
      { clickedAt: time, link: 'https://acme.dev/a?b', linkDomain: 'acme.dev', userAgent: 'Firefox' },
    ],
  ])('presents %s as %s with its facts', (type, name, change, expected) => {
    expect(present(type, change)).toEqual({
      event: name,
      data: { email: record, organization: { id: id('wks'), slug: 'acme' }, ...facts, ...expected },
      attempt: 2,
      timestamp: Math.floor(at / 1000),
    });
  });
});

describe('presentV1Webhook of an endpoint that knows clicks by their other name', () => {
  it('names clicks outbound.email.clicked, and every other event as always', () => {
    expect(present('email.clicked', { engagement }, 'clicked')).toMatchObject({
      event: 'outbound.email.clicked',
      data: { link: 'https://acme.dev/a?b' },
    });
    expect(present('email.opened', { engagement }, 'clicked')).toMatchObject({
      event: 'outbound.email.opened',
    });
  });
});

describe('v1StatusOf', () => {
  it.each([
    ['scheduled', 'QUEUED'],
    ['queued', 'QUEUED'],
    ['sending', 'ACCEPTED'],
    ['sent', 'SENT'],
    ['delivered', 'SENT'],
    ['received', 'RECEIVED'],
    ['bounced', 'BOUNCED'],
    ['complained', 'COMPLAINED'],
    ['failed', 'FAILED'],
    ['canceled', 'ARCHIVED'],
  ] as const)('maps %s to %s', (status, expected) => {
    expect(v1StatusOf({ head: { status }, history: [] })).toBe(expected);
  });

  it.each([
    ['afterwards', entry({ type: 'rejected' })],
    ['when it was submitted', entry({ type: 'failed', isRefused: true })],
  ])('is REJECTED when SES refused the email %s', (_, refusal) => {
    expect(v1StatusOf({ head: { status: 'failed' }, history: [refusal] })).toBe('REJECTED');
  });

  it('is FAILED when the email was not submitted', () => {
    expect(v1StatusOf({ head: { status: 'failed' }, history: [entry({ type: 'failed' })] })).toBe('FAILED');
  });
});
