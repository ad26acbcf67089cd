import { describe, expect, it } from 'vitest';
import { parseProviderEvent } from '../../../lib/core/sending/provider-event.ts';

const workspaceId = `wks_${'1'.repeat(32)}`;
const emailId = `eml_${'2'.repeat(32)}`;
const phone = 'Mozilla/5.0 (iPhone; CPU iPhone OS 19_0 like Mac OS X) AppleWebKit/605.1.15 Mobile/15E148';
const link = 'https://example.com/offer?a=1&b=2#top';
const timestamp = '2026-03-04T05:06:07.890Z';

const mail = {
  timestamp: '2026-03-04T05:00:00.000Z',
  source: 'hi@acme.test',
  messageId: 'EXAMPLE7c191be45',
  destination: ['ann@example.com'],
  tags: {
    'ses:configuration-set': ['parley'],
    workspace: [workspaceId],
    email_id: [emailId],
    chunk: ['2'],
  },
};
/** Amazon SES Developer Guide, "Examples of event data that Amazon SES publishes to Amazon SNS". */
const open = { ipAddress: '192.0.2.1', timestamp, userAgent: phone };
const click = { ...open, link, linkTags: { campaign: ['spring'] } };
const ofOpen = (changes: object = {}) => parseProviderEvent(json('Open', { open: { ...open, ...changes } }));
const ofClick = (changes: object = {}) =>
  parseProviderEvent(json('Click', { click: { ...click, ...changes } }));
const ofDelivery = (delivery: object) => parseProviderEvent(json('Delivery', { delivery }));

function json(eventType: string, content: object, of: object = mail): string {
  return JSON.stringify({ eventType, ...content, mail: of });
}

describe('parseProviderEvent', () => {
  it('returns an engagement and no history entry when the event is an open', () => {
    expect(ofOpen()).toEqual({
      workspaceId,
      emailId,
      chunk: 2,
      providerId: 'EXAMPLE7c191be45',
      entry: null,
      engagement: {
        type: 'open',
        url: null,
        at: Date.parse(timestamp),
        userAgent: phone,
        headers: {},
        isSuspected: false,
      },
      source: expect.any(String),
    });
  });

  it('returns an engagement with the link when the event is a click', () => {
    expect(ofClick()).toMatchObject({
      entry: null,
      engagement: {
        type: 'click',
        url: link,
        at: Date.parse(timestamp),
        userAgent: phone,
        isSuspected: false,
      },
    });
  });

  it.each([
    ['Likely', true],
    ['Unlikely', false],
  ])('returns isSuspected when SES says isBotEvent is %s', (isBotEvent, isSuspected) => {
    expect(ofOpen({ isBotEvent })?.engagement).toMatchObject({ isSuspected });
    expect(ofClick({ isBotEvent })?.engagement).toMatchObject({ isSuspected });
  });

  it('returns an engagement with defaults when SES leaves fields out', () => {
    expect(parseProviderEvent(json('Click', {}))?.engagement).toMatchObject({
      type: 'click',
      url: null,
      at: Date.parse(mail.timestamp),
      userAgent: null,
    });
  });

  it('identifies an engagement when its event is repeated', () => {
    const reports = [
      ofOpen(),
      ofOpen({ timestamp: '2026-03-04T05:06:07.891Z' }),
      ofOpen({ userAgent: 'another' }),
      parseProviderEvent(json('Open', { open }, { ...mail, messageId: 'another' })),
      ofClick(),
      ofClick({ link: 'https://example.com/another' }),
    ];
    expect(new Set(reports.map((report) => report?.source)).size).toBe(reports.length);
    expect(ofClick()?.source).toBe(ofClick()?.source);
  });

  it('returns no engagement when the event is a delivery', () => {
    const delivery = { timestamp, recipients: ['ann@example.com'], smtpResponse: '250 ok' };
    expect(parseProviderEvent(json('Delivery', { delivery }))).toMatchObject({
      entry: { type: 'delivered', at: Date.parse(timestamp), recipients: ['ann@example.com'] },
      engagement: null,
    });
  });

  it('returns the facts of a delivery', () => {
    const delivery = { timestamp, processingTimeMillis: 546, recipients: ['ann@example.com'] };
    const factsOf = (more: object) => ofDelivery({ ...delivery, ...more })?.entry?.facts;
    expect(factsOf({ remoteMtaIp: '192.0.2.10' })).toEqual({
      processingTimeMs: 546,
      remoteMtaIp: '192.0.2.10',
    });
    expect(factsOf({ processingTimeMillis: 0 })).toEqual({ processingTimeMs: 0 });
    expect(factsOf({ processingTimeMillis: undefined })).toBeUndefined();
  });

  it('returns the facts of a bounce, of each recipient its own', () => {
    const reported = [
      {
        emailAddress: 'ann@example.com',
        action: 'failed',
        status: '5.1.1',
        diagnosticCode: 'smtp; 550 5.1.1',
      },
      { status: '5.0.0' },
      { emailAddress: 'ben@example.com' },
    ];
    const bounce = {
      bounceType: 'Undetermined',
      bounceSubType: 'Undetermined',
      bouncedRecipients: reported,
      timestamp,
      feedbackId: 'feedback-1',
    };
    expect(parseProviderEvent(json('Bounce', { bounce }))?.entry).toEqual({
      type: 'bounced',
      at: Date.parse(timestamp),
      recipients: ['ann@example.com', 'ben@example.com'],
      detail: 'smtp; 550 5.1.1',
      permanent: false,
      facts: {
        bounceType: 'Undetermined',
        bounceSubType: 'Undetermined',
        feedbackId: 'feedback-1',
        recipients: [{ action: 'failed', status: '5.1.1', diagnosticCode: 'smtp; 550 5.1.1' }, {}],
      },
    });
  });

  it('returns the facts of a complaint', () => {
    const complaint = {
      complainedRecipients: [{ emailAddress: 'ann@example.com' }],
      timestamp,
      feedbackId: 'feedback-1',
      complaintSubType: null,
      userAgent: 'Yahoo!-Mail-Feedback/2.0',
      complaintFeedbackType: 'abuse',
    };
    expect(parseProviderEvent(json('Complaint', { complaint }))?.entry).toMatchObject({
      detail: 'abuse',
      facts: { feedbackId: 'feedback-1', userAgent: 'Yahoo!-Mail-Feedback/2.0' },
    });
  });

  it('leaves out facts of another type than SES documents', () => {
    const delivery = { timestamp, recipients: [], processingTimeMillis: '546', remoteMtaIp: null };
    expect(ofDelivery(delivery)?.entry).toEqual({
      type: 'delivered',
      at: Date.parse(timestamp),
      recipients: [],
      detail: null,
    });
    const bounce = {
      bounceType: 'New',
      bounceSubType: {},
      bouncedRecipients: [{ emailAddress: 'a@b.test', status: 5 }],
    };
    expect(parseProviderEvent(json('Bounce', { bounce }))?.entry?.facts).toEqual({ recipients: [{}] });
  });

  it('returns neither when the event is Send', () => {
    expect(parseProviderEvent(json('Send', { send: {} }))).toMatchObject({ entry: null, engagement: null });
  });

  it.each([
    ['of an open of another mail', json('Open', { open }, { ...mail, tags: {} })],
    ['of an unrecorded type', json('Subscription', { subscription: {} })],
    ['not JSON', 'Successfully validated SNS topic for Amazon SES event publishing.'],
  ])('returns null when the body is %s', (_, body) => {
    expect(parseProviderEvent(body)).toBeNull();
  });
});
