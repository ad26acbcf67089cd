/** Opens and clicks, and which of them no person made (contract, section 5, tracking). */

export interface Engagement {
  readonly type: 'open' | 'click';
  /** Unix milliseconds. */
  readonly at: number;
  /** Where the click led; null for an open. */
  readonly url: string | null;
  readonly userAgent: string | null;
  /** Whether a machine made it: a scanner, a link preview, a mail server that fetches ahead. */
  readonly bot: boolean;
}

/** What is known of a request for a pixel or a link, of ours or of the provider. */
export interface EngagementRequest {
  /** Unix milliseconds. */
  readonly at: number;
  readonly userAgent: string | null;
  /** Lower-case names; none where the provider reports of it. */
  readonly headers: Readonly<Record<string, string>>;
  /** Whether the provider takes it for a machine's. */
  readonly isSuspected?: boolean;
}

/** An open or click as we come to know of it. */
export interface EngagementSignal extends EngagementRequest, Pick<Engagement, 'type' | 'url'> {}

/** Scanners look at mail as it comes in; hardly anybody reads within this time. */
const scanMs = 10_000;

/** Words in the user agents of security scanners, link previews, crawlers and programs. */
const machineWords = [
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
const machine = new RegExp(machineWords.join('|'), 'i');

/** Apple Mail fetches every picture as mail comes in, and says no more of itself than this. */
const ahead = /^mozilla\/5\.0$/i;

/** Headers by which a browser says that nobody asked for the page yet. */
const prefetchHeaders = ['purpose', 'sec-purpose', 'x-purpose', 'x-moz'];

/**
 * Whether a hit counts as a machine's: it says so, the provider says so, or it came before or within seconds of a
 * delivery. Proxies that fetch pictures when a person opens the mail (Gmail's, Yahoo's) are no machines in this sense.
 *
 * @param deliveredAt when a receiving server took the message, once for each recipient
 */
export function isBot(visit: EngagementRequest, deliveredAt: readonly number[]): boolean {
  const { at: visitedAt, userAgent, headers, isSuspected } = visit;
  if (isSuspected || !userAgent || machine.test(userAgent) || ahead.test(userAgent)) return true;
  if (prefetchHeaders.some((name) => /prefetch|preview|prerender/i.test(headers[name] ?? ''))) return true;
  return deliveredAt.length === 0 || deliveredAt.some((at) => visitedAt >= at && visitedAt < at + scanMs);
}
