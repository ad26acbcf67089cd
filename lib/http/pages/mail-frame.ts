/** The page of a message's html in the console and the local inbox: its own document, with a policy of its own. */
import { framedHtml } from '../../mail/html/framed-html.ts';
import type { PublicResponse } from '../serve-public.ts';

export interface FramedMessage {
  readonly html: string;
  /** Links of files by Content-ID: of the page's own origin or of the store of files. */
  readonly files: ReadonlyMap<string, string>;
  readonly withRemotePictures: boolean;
}

/**
 * The response with the message. No script runs: the sandbox has no `allow-scripts`, the policy no `script-src`, and the document no
 * script. `allow-same-origin` lets the page around it read its height.
 */
export function mailFrame({ html, files, withRemotePictures }: FramedMessage): PublicResponse {
  const origins = new Set([...files.values()].map(originOf));
  const pictures = ['data:', ...origins, ...(withRemotePictures ? ['https:', 'http:'] : [])];
  return {
    status: 200,
    headers: {
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': [
        'sandbox allow-popups allow-popups-to-escape-sandbox allow-same-origin',
        "default-src 'none'",
        "style-src 'unsafe-inline'",
        `img-src ${pictures.join(' ')}`,
        "form-action 'none'",
        "base-uri 'none'",
        "frame-ancestors 'self'",
      ].join('; '),
      'cache-control': 'private, no-store',
      'cross-origin-resource-policy': 'same-origin',
      'referrer-policy': 'no-referrer',
      'x-content-type-options': 'nosniff',
    },
    body: framedHtml(html, { files, withRemotePictures }),
  };
}

/** Of the page itself where the link is a path. */
function originOf(url: string): string {
  return URL.canParse(url) ? new URL(url).origin : "'self'";
}
