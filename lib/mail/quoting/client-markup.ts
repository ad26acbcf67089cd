/** Owns the markup by which mail clients mark quotes and signatures. */

/**
 * What an element is:
 * - `quote`: its content is quoted.
 * - `container`: holds an attribution, then the quote; answers may follow between and after its quotes.
 * - `quotable`: a blockquote without a client's mark; may be the author's own.
 * - `quote-start`: the element and everything after it in its container is quoted.
 * - `signature`: its content is the signature.
 */
export type ElementRole = 'quote' | 'container' | 'quotable' | 'quote-start' | 'signature';

/** The attributes that mark an element, empty strings where absent. */
export interface MarkerAttributes {
  readonly id: string;
  readonly className: string;
  readonly name: string;
  readonly type: string;
  readonly style: string;
  /** Values of `data-marker` (Zimbra), `data-smartmail` (Gmail) and `data-signatureblock` (Windows Mail). */
  readonly data: string;
}

interface Marker {
  readonly role: ElementRole;
  /** Matched against the whole id. Outlook prefixes ids of quoted mail with `x_`. */
  readonly ids?: RegExp;
  readonly names?: RegExp;
  readonly classes?: RegExp;
  readonly data?: RegExp;
}

/** In order of precedence. */
const clientMarkers: readonly Marker[] = [
  // Thunderbird, and its forwards.
  {
    role: 'quote',
    classes: /(?:^|\s)(?:moz-cite-prefix|moz-forward-container|moz-email-headers-table)(?:\s|$)/,
  },
  // New Outlook; Outlook for Mac; Yahoo; Zimbra; NetEase; Zoho; Front; Freshdesk; Tuta.
  { role: 'quote', ids: /^(?:mail-editor-reference-message-container|OLK_SRC_BODY_SECTION|isReplyContent)$/ },
  {
    role: 'quote',
    classes: /yahoo_quoted|(?:^|\s)(?:front-blockquote|freshdesk_quote|tutanota_quote|zmail_extra)(?:\s|$)/,
  },
  { role: 'quote', ids: /yahoo_quoted/ },
  { role: 'quote', data: /__QUOTED_TEXT__|__HEADERS__/ },
  // GMX and Web.de; Spark.
  { role: 'quote', names: /^quote$/ },
  { role: 'container', names: /^messageReplySection$/ },
  // Outlook on the web; Outlook mobile.
  { role: 'quote-start', ids: /^(?:x_)*divRplyFwdMsg$/ },
  { role: 'quote-start', classes: /(?:^|\s)ms-outlook-mobile-reference-message(?:\s|$)/ },
  // Gmail; Proton Mail.
  { role: 'container', classes: /(?:^|\s)(?:gmail_quote|gmail_quote_container|protonmail_quote)(?:\s|$)/ },
  {
    role: 'signature',
    classes:
      /(?:^|\s)(?:gmail_signature|gmail_signature_prefix|moz-signature|protonmail_signature_block)(?:\s|$)/,
  },
  { role: 'signature', classes: /yahoo[_-]signature|(?:^|\s)mailspring-signature(?:\s|$)/ },
  {
    role: 'signature',
    ids: /^(?:Signature|signature|ms-outlook-mobile-signature|AppleMailSignature|ms-outlook-ios-signature)$/,
  },
  { role: 'signature', data: /gmail_signature|signatureblock/ },
];

const citedBlockquote =
  /(?:^|\s)(?:gmail_quote|protonmail_quote|yahoo_quoted|tutanota_quote|front-blockquote|cite)(?:\s|$)/;
const bordered =
  /border(?:-left(?:-(?:style|width|color))?)?\s?:\s?(?!none|0)[^;]{0,60}\b(?:solid|\d+px|rgb)/i;
const borderOff = /border\s?:\s?none/i;

/** The role of an element by its name and attributes; null for an element without one. */
export function elementRole(name: string, attributes: MarkerAttributes): ElementRole | null {
  if (name === 'blockquote') {
    const isCited = attributes.type.toLowerCase() === 'cite' || citedBlockquote.test(attributes.className);
    const isBordered = bordered.test(attributes.style) && !borderOff.test(attributes.style);
    return isCited || isBordered || attributes.id === 'isReplyContent' ? 'quote' : 'quotable';
  }
  const { id, className, name: label, data } = attributes;
  if (id === '' && className === '' && label === '' && data === '') return null;
  return clientMarkers.find((marker) => matches(marker, attributes))?.role ?? null;
}

function matches(marker: Marker, { id, className, name, data }: MarkerAttributes): boolean {
  return (
    (name !== '' && marker.names?.test(name) === true) ||
    (id !== '' && marker.ids?.test(id) === true) ||
    (className !== '' && marker.classes?.test(className) === true) ||
    (data !== '' && marker.data?.test(data) === true)
  );
}
