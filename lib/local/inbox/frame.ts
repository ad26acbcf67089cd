/** The html of a message as a page for a sandboxed frame: without scripts, forms and remote content. */
import { Parser } from 'htmlparser2';
import { escapeHtml } from '../../mail/index.ts';

export interface FrameOptions {
  /** Whether pictures of other hosts are loaded. */
  readonly remotePictures: boolean;
  /** The URL of a file of the message by its Content-ID; null: there is none. */
  readonly urlOfCid: (cid: string) => string | null;
}

/** Elements that are left out with what is in them. */
const dropped = new Set([
  'script',
  'noscript',
  'template',
  'title',
  'object',
  'applet',
  'iframe',
  'frameset',
]);
/** Elements whose tags are left out. */
const unwrapped = new Set([
  'html',
  'head',
  'body',
  'meta',
  'link',
  'base',
  'embed',
  'frame',
  'form',
  'portal',
]);
const voidElements = new Set(['area', 'br', 'col', 'hr', 'img', 'input', 'source', 'wbr']);
const htmlCharactersMax = 8 * 1024 * 1024;

/** Security headers of the page: with or without this file, nothing in the message runs or leaves. */
export function frameHeaders(remotePictures: boolean): Record<string, string> {
  const pictures = remotePictures ? "'self' data: http: https:" : "'self' data:";
  return {
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy':
      `default-src 'none'; img-src ${pictures}; style-src 'unsafe-inline'; form-action 'none'; base-uri 'none'; ` +
      "frame-ancestors 'self'; sandbox allow-popups allow-popups-to-escape-sandbox",
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
    'cache-control': 'no-store',
    'x-dns-prefetch-control': 'off',
  };
}

/** The page, in linear time. */
export function framePage(html: string, options: FrameOptions): string {
  const parts: string[] = [];
  let depthDropped = 0;
  let isStyle = false;
  const parser = new Parser({
    onopentag(name, attributes) {
      if (depthDropped > 0 || dropped.has(name)) {
        isStyle = false;
        if (dropped.has(name)) depthDropped += 1;
        return;
      }
      if (unwrapped.has(name)) return;
      isStyle = name === 'style';
      parts.push(`<${name}${attributesText(name, attributes, options)}>`);
    },
    ontext(text) {
      // Browsers read a style sheet without entities; what would end it is left out.
      if (depthDropped === 0) parts.push(isStyle ? text.replaceAll('<', '') : escapeHtml(text));
    },
    onclosetag(name) {
      if (dropped.has(name)) depthDropped = Math.max(0, depthDropped - 1);
      else if (depthDropped === 0 && !unwrapped.has(name) && !voidElements.has(name))
        parts.push(`</${name}>`);
    },
  });
  parser.end(html.slice(0, htmlCharactersMax));
  return (
    '<!doctype html><html><head><meta charset="utf-8"><meta name="color-scheme" content="light only">' +
    '<base target="_blank"><title>Message</title><style>body{margin:12px;font:14px/1.5 system-ui,sans-serif;' +
    `overflow-wrap:anywhere;background:#fff;color:#111}img{max-width:100%}</style></head><body>${parts.join('')}</body></html>`
  );
}

function attributesText(name: string, attributes: Record<string, string>, options: FrameOptions): string {
  return Object.entries(attributes)
    .map(([attribute, value]) => attributeText(name, attribute, value, options))
    .join('');
}

const attributeName = /^[a-z][a-z0-9:-]*$/;

function attributeText(element: string, name: string, value: string, { urlOfCid }: FrameOptions): string {
  // Prefetching, event handlers, and names that would end the tag.
  if (!attributeName.test(name) || name.startsWith('on') || name === 'srcdoc' || name === 'ping') return '';
  if (name === 'href' || name === 'xlink:href') {
    const isSafe =
      element === 'a' || element === 'area'
        ? /^\s*(?:https?|mailto|tel):/i.test(value)
        : value.startsWith('#');
    return isSafe ? ` ${name}="${escapeHtml(value)}"` : '';
  }
  if (name === 'target') return '';
  const cid = /^cid:(.*)$/is.exec(value.trim())?.[1];
  if (cid === undefined) return ` ${name}="${escapeHtml(value)}"`;
  const url = urlOfCid(cid);
  return url === null ? '' : ` ${name}="${escapeHtml(url)}"`;
}
