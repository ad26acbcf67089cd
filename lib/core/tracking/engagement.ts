/** Engagements (opens and clicks) and the detection of bots (docs/concepts/tracking.md). */

export interface Engagement {
  readonly type: 'open' | 'click';
  /** Unix milliseconds. */
  readonly at: number;
  /** Target of the click; null for an open. */
  readonly url: string | null;
  readonly userAgent: string | null;
  /** Made by a bot: a scanner, a link preview, a mail server that prefetches (docs/concepts/tracking.md#bots). */
  readonly bot: boolean;
}

/** A request for a tracking pixel or a tracked link, of ours or of the provider. */
export interface EngagementRequest {
  /** Unix milliseconds. */
  readonly at: number;
  readonly userAgent: string | null;
  /** Names in lower case; empty where the provider reports the request. */
  readonly headers: Readonly<Record<string, string>>;
  /** The provider classifies it as a bot's. */
  readonly isSuspected?: boolean;
}

/** An open or click before bot detection. */
export interface EngagementSignal extends EngagementRequest, Pick<Engagement, 'type' | 'url'> {}

/** Scanners open mail at delivery; a request within this time counts as a scanner's. */
const scanWindowMs = 10_000;

/**
 * Words in user agents of security scanners, link previews, crawlers and HTTP clients
 * (docs/decisions/0035-list-of-mail-scanners.md).
 */
const botWords = [
  'appengine-google',
  'barracuda',
  'bingpreview',
  'bitdefender',
  '(?<!cu)bot\\b',
  'checkpoint',
  'crawler',
  'curl',
  'facebookexternalhit',
  'fireeye',
  'forcepoint',
  'go-http-client',
  'headless',
  'http-?client',
  'ironport',
  'java/',
  'libwww',
  'linkpreview',
  'mailgateway',
  'messagelabs',
  'microsoft office (?:existence|protocol) discovery',
  'mimecast',
  'node-fetch',
  'okhttp',
  'phantomjs',
  'proofpoint',
  'python',
  'ruby',
  'safelinks',
  'scanner',
  'skypeuripreview',
  'sophos',
  'spider',
  'symantec',
  'trendmicro',
  'trustwave',
  'urldefense',
  'wget',
  'whatsapp',
  'zscaler',
];
const botAgent = new RegExp(botWords.join('|'), 'i');

/** The whole user agent of Apple Mail Privacy Protection, which fetches every image at delivery. */
const appleMailAgent = /^mozilla\/5\.0$/i;

/** Request headers of browsers that prefetch. */
const prefetchHeaders = ['purpose', 'sec-purpose', 'x-purpose', 'x-moz'];

/**
 * Whether an engagement is a bot's: by its user agent or headers, by the provider, or because it came before a delivery
 * or within 10 seconds of one. Image proxies that fetch when a person opens the mail (Gmail, Yahoo) are not bots.
 *
 * @param deliveredAt times of delivery, one for each recipient; Unix milliseconds
 */
export function isBot(request: EngagementRequest, deliveredAt: readonly number[]): boolean {
  const { at: requestedAt, userAgent, headers, isSuspected } = request;
  if (isSuspected || !userAgent || botAgent.test(userAgent) || appleMailAgent.test(userAgent)) return true;
  if (prefetchHeaders.some((name) => /prefetch|preview|prerender/i.test(headers[name] ?? ''))) return true;
  return (
    deliveredAt.length === 0 || deliveredAt.some((at) => requestedAt >= at && requestedAt < at + scanWindowMs)
  );
}
