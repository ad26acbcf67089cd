import { describe, expect, it } from 'vitest';
import { isBot } from '../../../lib/core/tracking/engagement.ts';

const deliveredAt = 1_000_000;
const later = deliveredAt + 60_000;
const iphone =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 19_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Mobile/15E148';

const isBotAgent = (userAgent: string | null, at = later, headers = {}) =>
  isBot({ at, userAgent, headers }, [deliveredAt]);

describe('isBot', () => {
  it.each([
    iphone,
    'Mozilla/5.0 (Windows NT 5.1; rv:11.0) Gecko Firefox/11.0 (via ggpht.com GoogleImageProxy)',
    'YahooMailProxy; https://help.yahoo.com/kb/yahoo-mail-proxy-SLN28749.html',
    'Mozilla/4.0 (compatible; ms-office; MSOffice 16)',
    'Mozilla/5.0 (Linux; Android 12; CUBOT NOTE 20) AppleWebKit/537.36 Chrome/120.0 Mobile Safari/537.36',
  ])('is false when the user agent is %s', (userAgent) => {
    expect(isBotAgent(userAgent)).toBe(false);
  });

  it.each([
    null,
    '',
    'Mozilla/5.0',
    'curl/8.5.0',
    'python-requests/2.31.0',
    'Slackbot-LinkExpanding 1.0 (+https://api.slack.com/robots)',
    'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)',
    'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 HeadlessChrome/120.0.0.0 Safari/537.36',
    'Mozilla/5.0 (Windows NT 6.1; WOW64) SkypeUriPreview Preview/0.5',
    'Barracuda Sentinel (EE)',
  ])('is true when the user agent is %s', (userAgent) => {
    expect(isBotAgent(userAgent)).toBe(true);
  });

  it('is true when the browser prefetches', () => {
    expect(isBotAgent(iphone, later, { purpose: 'prefetch' })).toBe(true);
    expect(isBotAgent(iphone, later, { 'sec-purpose': 'prefetch;prerender' })).toBe(true);
  });

  it('is true within ten seconds of a delivery, and false later', () => {
    expect(isBotAgent(iphone, deliveredAt)).toBe(true);
    expect(isBotAgent(iphone, deliveredAt + 9_999)).toBe(true);
    expect(isBotAgent(iphone, deliveredAt + 10_000)).toBe(false);
  });

  it('is true when the provider classifies the request as a bot, whatever the user agent', () => {
    const request = { at: later, userAgent: iphone, headers: {} };
    expect(isBot({ ...request, isSuspected: true }, [deliveredAt])).toBe(true);
    expect(isBot({ ...request, isSuspected: false }, [deliveredAt])).toBe(false);
    expect(isBot({ ...request, userAgent: 'curl/8.5.0', isSuspected: false }, [deliveredAt])).toBe(true);
  });

  it('is true when nothing was delivered yet', () => {
    expect(isBot({ at: later, userAgent: iphone, headers: {} }, [])).toBe(true);
  });
});
