import { describe, expect, it } from 'vitest';
import { parseProviderEvent } from '../../../lib/core/mail/provider-event.ts';

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
/** As SES publishes them (SES developer guide, "Examples of event data"). */
const open = { ipAddress: '192.0.2.1', timestamp, userAgent: phone };
const click = { ...open, link, linkTags: { campaign: ['spring'] } };
const ofOpen = (changes: object = {}) => parseProviderEvent(json('Open', { open: { ...open, ...changes } }));
const ofClick = (changes: object = {}) =>
  parseProviderEvent(json('Click', { click: { ...click, ...changes } }));

function json(eventType: string, content: object, of: object = mail): string {
  return JSON.stringify({ eventType, ...content, mail: of });
}

describe('a report of SES', () => {
  it('of an open is a hit, and nothing in the history', () => {
    expect(ofOpen()).toEqual({
      workspaceId,
      emailId,
      chunk: 2,
      providerId: 'EXAMPLE7c191be45',
      entry: null,
      hit: {
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

  it('of a click is a hit that names where it led', () => {
    expect(ofClick()).toMatchObject({
      entry: null,
      hit: { type: 'click', url: link, at: Date.parse(timestamp), userAgent: phone, isSuspected: false },
    });
  });

  it.each([
    ['Likely', true],
    ['Unlikely', false],
  ])("carries SES's own judgement of who made the hit: %s", (isBotEvent, isSuspected) => {
    expect(ofOpen({ isBotEvent })?.hit).toMatchObject({ isSuspected });
    expect(ofClick({ isBotEvent })?.hit).toMatchObject({ isSuspected });
  });

  it('of a hit is as good as it can be where SES leaves something out', () => {
    expect(parseProviderEvent(json('Click', {}))?.hit).toMatchObject({
      type: 'click',
      url: null,
      at: Date.parse(mail.timestamp),
      userAgent: null,
    });
  });

  it('of a hit is told from every other, and is itself when it comes again', () => {
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

  it('of the history is no hit', () => {
    const delivery = { timestamp, recipients: ['ann@example.com'], smtpResponse: '250 ok' };
    expect(parseProviderEvent(json('Delivery', { delivery }))).toMatchObject({
      entry: { type: 'delivered', at: Date.parse(timestamp), recipients: ['ann@example.com'] },
      hit: null,
    });
  });

  it('that SES took the message is neither', () => {
    expect(parseProviderEvent(json('Send', { send: {} }))).toMatchObject({ entry: null, hit: null });
  });

  it.each([
    ['of a hit on mail that is not ours', json('Open', { open }, { ...mail, tags: {} })],
    ['of a kind that nothing here records', json('Subscription', { subscription: {} })],
    ['that is no JSON', 'Successfully validated SNS topic for Amazon SES event publishing.'],
  ])('%s is none', (_, body) => {
    expect(parseProviderEvent(body)).toBeNull();
  });
});
